-- A board's score of a mate is one unit from 8000 for each full move; it was taken for one a ply, so that half as many moves were kept.
-- What an engine scores stands in score_raw as 32000 less the moves: none of its mates is near 8000.
UPDATE plies SET score_mate = iif(score_raw > 0, 1, -1) * max(8000 - abs(score_raw), 1)
WHERE score_mate IS NOT NULL AND abs(score_raw) BETWEEN 7865 AND 8000;
UPDATE iterations SET score_mate = iif(score_raw > 0, 1, -1) * max(8000 - abs(score_raw), 1)
WHERE score_mate IS NOT NULL AND abs(score_raw) BETWEEN 7865 AND 8000;
