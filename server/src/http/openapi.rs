//! The API as an OpenAPI 3.1 document, made of the types that the handlers read and answer. `server/tests/openapi.rs` holds it against
//! the router and against real answers.

use super::{books, console, firmware, games, runs, telemetry, ws};
use crate::{
    api::{
        ApiError, BoardView, BookPage, BookView, ConsoleMessage, ConsoleSay, EvaluationView,
        FlashRequest, FlashView, GameDetail, GamePage, LinkEventView, PositionGames, RawLineView,
        RunView, ServerMessage, SqlQuery, TelemetryTable, VersionView,
    },
    model::{FirmwareImage, FlashRecord, IterationRecord, OpeningLine, RunSettings},
    telemetry::{Ask, GameFilter, View},
};
use axum::Json;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// `GET /api/v1/openapi.json`
pub(super) async fn document() -> Json<Value> {
    Json(openapi())
}

/// What the server sends over its WebSocket, as a JSON schema: `docs/websocket.schema.json`.
#[must_use]
pub fn websocket_schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<ServerMessage>().to_value()
}

/// The document.
#[must_use]
pub fn openapi() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut api = Api { generator: settings.into_generator(), paths: Map::new() };
    api.routes();
    let schemas = api.generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Rookery",
            "description": "Games between microcontroller chess boards and UCI engines: runs, games, telemetry. Times are Unix \
                milliseconds, scores from the mover's side.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}, {"query": []}, {}],
        "paths": api.paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "Needed where the server does not listen on loopback."},
                "query": {"type": "apiKey", "in": "query", "name": "token", "description": "The same for who cannot set a header."},
            },
        },
    })
}

struct Api {
    generator: SchemaGenerator,
    paths: Map<String, Value>,
}

/// What a request is answered with.
enum Answer {
    Json(Schema),
    /// A table in each of its formats.
    Table(Schema),
    Text(&'static str),
    Nothing,
    Upgrade,
}

/// What a request brings.
enum Body {
    Json(Schema),
    File,
}

/// A request, as it is described.
struct Request {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    query: Option<Schema>,
    body: Option<Body>,
    status: u16,
    answer: Answer,
}

impl Api {
    fn routes(&mut self) {
        use Answer::{Json, Table, Text, Upgrade};
        let boards = Json(self.schema::<Vec<BoardView>>());
        self.get("/api/v1/boards", "All boards", None, boards);
        let board = Json(self.schema::<BoardView>());
        self.get("/api/v1/boards/{id}", "A board", None, board);
        self.console_routes();
        self.firmware_routes();
        self.book_routes();
        let list = Json(self.schema::<Vec<RunView>>());
        let query = Some(self.schema::<runs::ListQuery>());
        self.get(
            "/api/v1/runs",
            "Runs, newest first; the header Link names the next page",
            query,
            list,
        );
        let run = self.schema::<RunView>();
        let settings = self.schema::<RunSettings>();
        self.post("/api/v1/runs", "Begin a run", Some(settings), 201, Json(run.clone()));
        self.get("/api/v1/runs/{id}", "A run, its opening lines included", None, Json(run.clone()));
        let control = "Hold a run, let it go on, end it after its games, end it at once, move it before all that wait for a board";
        self.post("/api/v1/runs/{id}/{action}", control, None, 200, Json(run));
        let query = self.both::<GameFilter, games::PageQuery>();
        let page = Json(self.schema::<GamePage>());
        self.get("/api/v1/games", "Games, newest first", query, page);
        let query = self.both::<GameFilter, games::PgnQuery>();
        let pgn = "application/x-chess-pgn";
        let all =
            "Games as one PGN file; those that are over, where 'state' does not say otherwise";
        self.get("/api/v1/games.pgn", all, query, Text(pgn));
        let game = Json(self.schema::<GameDetail>());
        self.get("/api/v1/games/{id}", "A game, its plies and its incidents", None, game);
        let query = Some(self.schema::<games::PgnQuery>());
        self.get("/api/v1/games/{id}/pgn", "A game as PGN", query, Text(pgn));
        let events = Json(self.schema::<Vec<LinkEventView>>());
        let query = self.both::<games::LatestQuery, ()>();
        let link =
            "What happened on the board's link during a game, in order: faults, lines sent again";
        self.get("/api/v1/games/{id}/events", link, query, events);
        let iterations = Json(self.schema::<Vec<IterationRecord>>());
        let all = "Every finished iteration of every think of a game";
        self.get("/api/v1/games/{id}/iterations", all, None, iterations);
        let report = "Everything about a game for a fault report, a ZIP file";
        self.get("/api/v1/games/{id}/report", report, None, Text("application/zip"));
        let table = self.schema::<TelemetryTable>();
        let query = self.both::<Ask, telemetry::Written>();
        let view = "What was measured: a view as a table (docs/telemetry.md)";
        self.get("/api/v1/telemetry/{view}", view, query, Table(table.clone()));
        let query = self.both::<telemetry::CompareQuery, telemetry::Written>();
        let compare = "The first moves of games that begin alike, side by side";
        self.get("/api/v1/telemetry/compare", compare, query, Table(table.clone()));
        let query = Some(self.schema::<SqlQuery>());
        self.post(
            "/api/v1/telemetry/sql",
            "A query of one's own, read-only",
            query,
            200,
            Table(table),
        );
        let any = Json(json!({"type": "object"}).try_into().expect("an object is a schema"));
        self.get("/api/v1/openapi.json", "This document", None, any);
        let version = Json(self.schema::<VersionView>());
        self.get("/api/v1/version", "The server's version", None, version);
        self.get("/metrics", "Counters and gauges for Prometheus", None, Text("text/plain"));
        self.get("/healthz", "Whether the server lives", None, Text("text/plain"));
        let query = Some(self.schema::<ws::Since>());
        let watch = "A WebSocket: a snapshot, then numbered deltas (docs/websocket.schema.json)";
        self.get("/ws", watch, query, Upgrade);
    }

    fn console_routes(&mut self) {
        use Answer::{Json, Text, Upgrade};
        let lines = Json(self.schema::<Vec<RawLineView>>());
        let query = Some(self.schema::<console::Last>());
        let last = "The last raw lines of a board's link";
        self.get("/api/v1/boards/{id}/lines", last, query, lines);
        let query = Some(self.schema::<console::Last>());
        let file = "The same as a file";
        self.get("/api/v1/boards/{id}/lines.txt", file, query, Text("text/plain"));
        let console = "A WebSocket: ConsoleMessages with the lines that are kept and those that come; takes ConsoleSay";
        self.schema::<ConsoleMessage>();
        self.schema::<ConsoleSay>();
        self.get("/api/v1/boards/{id}/console", console, None, Upgrade);
    }

    fn firmware_routes(&mut self) {
        use Answer::Json;
        let image = self.schema::<FirmwareImage>();
        let images = Json(self.schema::<Vec<FirmwareImage>>());
        self.get("/api/v1/firmware", "The images that are kept", None, images);
        let query = Some(self.schema::<firmware::UploadQuery>());
        self.add(Request {
            method: "post",
            path: "/api/v1/firmware",
            summary: "Keep an image: ELF, Intel HEX or binary",
            query,
            body: Some(Body::File),
            status: 201,
            answer: Json(image.clone()),
        });
        self.get("/api/v1/firmware/{sha256}", "An image", None, Json(image));
        self.delete("/api/v1/firmware/{sha256}", "Forget an image", 204);
        let flash = self.schema::<FlashView>();
        let last = "The last flash of a board";
        self.get("/api/v1/boards/{id}/flash", last, None, Json(flash.clone()));
        let request = Some(self.schema::<FlashRequest>());
        self.post("/api/v1/boards/{id}/flash", "Flash a board", request, 202, Json(flash));
        self.delete("/api/v1/boards/{id}/flash", "Stop a flash", 202);
        let history = Json(self.schema::<Vec<FlashRecord>>());
        self.get("/api/v1/boards/{id}/flashes", "What was flashed", None, history);
    }

    fn book_routes(&mut self) {
        use Answer::{Json, Text};
        let book = self.schema::<BookView>();
        let books = Json(self.schema::<Vec<BookView>>());
        let which = "The books that the server knows: configured ones, kept ones, those of runs";
        self.get("/api/v1/books", which, None, books);
        let query = Some(self.schema::<books::UploadQuery>());
        self.add(Request {
            method: "post",
            path: "/api/v1/books",
            summary: "Keep a book: Polyglot, compact, JSON or PGN",
            query,
            body: Some(Body::File),
            status: 201,
            answer: Json(book),
        });
        let query = Some(self.schema::<books::PositionQuery>());
        let page = Json(self.schema::<BookPage>());
        let position = "A position of a book: its moves with their weights, and the line to it";
        self.get("/api/v1/books/{book}", position, query, page);
        self.delete("/api/v1/books/{book}", "Forget a kept book", 204);
        let query = Some(self.schema::<books::FileQuery>());
        let file = Text("application/octet-stream");
        self.get("/api/v1/books/{book}/file", "A book's file, in any of its forms", query, file);
        let query = Some(self.schema::<books::OpeningsQuery>());
        let lines = Json(self.schema::<Vec<OpeningLine>>());
        let openings = "Openings for a run out of a book: the run's 'openings'";
        self.get("/api/v1/books/{book}/openings", openings, query, lines);
        let image = Json(self.schema::<FirmwareImage>());
        let make = "Keep a book as an image for the boards' flash; needs the flash token";
        self.post("/api/v1/books/{book}/image", make, None, 201, image);
        let query = Some(self.schema::<books::PositionQuery>());
        let evaluation = Json(self.schema::<EvaluationView>());
        let thinks = "What the server's engine thinks of a position";
        self.get("/api/v1/positions/evaluation", thinks, query, evaluation);
        let query = Some(self.schema::<books::PositionQuery>());
        let games = Json(self.schema::<PositionGames>());
        let through = "The games that came through a position, by any order of moves";
        self.get("/api/v1/positions/games", through, query, games);
    }

    fn schema<T: JsonSchema>(&mut self) -> Schema {
        self.generator.subschema_for::<T>()
    }

    /// What [`super::asked::Asked`] reads.
    fn both<A: JsonSchema, B: JsonSchema>(&mut self) -> Option<Schema> {
        let mut all = Map::new();
        let mut needed = Vec::new();
        for mut part in [A::json_schema(&mut self.generator), B::json_schema(&mut self.generator)] {
            if let Some(Value::Object(fields)) = part.remove("properties") {
                all.extend(fields);
            }
            if let Some(Value::Array(names)) = part.remove("required") {
                needed.extend(names);
            }
        }
        let both = json!({"type": "object", "properties": all, "required": needed});
        Some(both.try_into().expect("an object is a schema"))
    }

    fn get(
        &mut self,
        path: &'static str,
        summary: &'static str,
        query: Option<Schema>,
        answer: Answer,
    ) {
        self.add(Request { method: "get", path, summary, query, body: None, status: 200, answer });
    }

    fn post(
        &mut self,
        path: &'static str,
        summary: &'static str,
        body: Option<Schema>,
        status: u16,
        answer: Answer,
    ) {
        let body = body.map(Body::Json);
        self.add(Request { method: "post", path, summary, query: None, body, status, answer });
    }

    fn delete(&mut self, path: &'static str, summary: &'static str, status: u16) {
        let answer = Answer::Nothing;
        self.add(Request {
            method: "delete",
            path,
            summary,
            query: None,
            body: None,
            status,
            answer,
        });
    }

    fn add(&mut self, request: Request) {
        let Request { method, path, summary, query, body, status, answer } = request;
        let status = if matches!(answer, Answer::Upgrade) { 101 } else { status };
        let mut parameters: Vec<Value> = path_parameters(path);
        parameters.extend(query.into_iter().flat_map(|schema| self.query_parameters(&schema)));
        let answer = match answer {
            Answer::Json(schema) => answered("application/json", json!(schema)),
            Answer::Table(schema) => json!({
                "description": "The table",
                "content": {
                    "application/json": {"schema": schema},
                    "application/x-ndjson": {"schema": {"type": "string"}},
                    "text/csv": {"schema": {"type": "string"}},
                },
            }),
            Answer::Text(kind) => answered(kind, json!({"type": "string"})),
            Answer::Nothing => json!({"description": "It is done, or under way"}),
            Answer::Upgrade => json!({"description": "The WebSocket is open"}),
        };
        let error = self.schema::<ApiError>();
        let mut operation = json!({
            "operationId": operation_id(method, path),
            "summary": summary,
            "parameters": parameters,
            "responses": {
                status.to_string(): answer,
                "default": {
                    "description": "What was wrong and what to do",
                    "content": {"application/json": {"schema": error}},
                },
            },
        });
        if let Some(body) = body {
            let content = match body {
                Body::Json(schema) => json!({"application/json": {"schema": schema}}),
                Body::File => json!({"application/octet-stream": {}}),
            };
            operation["requestBody"] = json!({"required": true, "content": content});
        }
        if path == "/healthz" {
            operation["security"] = json!([]);
        }
        let known = self.paths.entry(path).or_insert_with(|| json!({}));
        known[method] = operation;
    }

    /// The fields of a query's type. The token is no question of its own: it is among the security schemes.
    fn query_parameters(&mut self, schema: &Schema) -> Vec<Value> {
        let name = schema.get("$ref").and_then(Value::as_str).unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        // Parameters are spelt out, and nobody else refers to the type.
        let named = self.generator.definitions_mut().remove(name);
        let object = named.unwrap_or_else(|| json!(schema));
        let fields = object.get("properties").and_then(Value::as_object);
        let needed = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let all = fields.into_iter().flatten().filter(|(name, _)| *name != "token");
        all.map(|(name, schema)| {
            let mut schema = schema.clone();
            let words = schema.as_object_mut().and_then(|fields| fields.remove("description"));
            json!({
                "name": name,
                "in": "query",
                "required": needed.iter().any(|field| field == name),
                "description": words.unwrap_or_default(),
                "schema": schema,
            })
        })
        .collect()
    }
}

fn answered(kind: &str, schema: Value) -> Value {
    json!({"description": "The answer", "content": {kind: {"schema": schema}}})
}

fn path_parameters(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names
        .map(|name| {
            let schema = match name {
                "action" => json!({"enum": ["pause", "resume", "stop", "abort", "next"]}),
                "view" => {
                    json!({"enum": View::ALL.iter().map(|view| view.as_str()).collect::<Vec<_>>()})
                }
                "book" | "sha256" => json!({"type": "string"}),
                _ => json!({"type": "integer", "format": "int64"}),
            };
            json!({"name": name, "in": "path", "required": true, "schema": schema})
        })
        .collect()
}

/// `getRunsById`, from the method and the path.
fn operation_id(method: &str, path: &str) -> String {
    let mut id = method.to_owned();
    for part in path.trim_start_matches("/api/v1").split(['/', '.']).filter(|p| !p.is_empty()) {
        let (by, word) = match part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
            Some(name) => ("By", name),
            None => ("", part),
        };
        id.push_str(by);
        let mut chars = word.chars();
        id.extend(chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars));
    }
    id
}
