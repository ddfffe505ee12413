# syntax=docker/dockerfile:1
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --bins

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends stockfish curl \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home --home-dir /data rookery
ENV PATH="/usr/local/bin:/usr/bin:/bin:/usr/games"
COPY --from=build /src/target/release/rookery /src/target/release/board-sim /usr/local/bin/
USER rookery
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["rookery"]
CMD ["serve"]
