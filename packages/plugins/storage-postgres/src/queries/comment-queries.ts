import type { Knex } from 'knex';
import type { CommentCount, DiscussionSize, Page, PageRequest } from '@countersign/core/ports';
import { readComment, type Actor, type ApprovalComment } from '@countersign/model';
import type { RunEventRow } from '../rows/run-event-row.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { isStorableId } from './storable.js';

/** Selects approvals and their earlier rounds, as pairs of `listed_id` (the approval) and `approval_id` (the round). */
const ROUNDS = `
  WITH RECURSIVE rounds AS (
    SELECT approval_id AS listed_id, approval_id, previous_approval_id FROM approvals WHERE approval_id = ANY(?::uuid[])
    UNION ALL
    SELECT r.listed_id, a.approval_id, a.previous_approval_id
    FROM rounds r JOIN approvals a ON a.approval_id = r.previous_approval_id
  )`;

/** Join of the rounds with their comments. It matches the partial index. */
const COMMENTS = `rounds r JOIN run_events e ON e.type = 'approval.commented' AND e.data ->> 'approvalId' = r.approval_id::text`;

/** Whether a person or a service wrote the comment; NULL if the author was erased. */
const IS_BY = `(e.private #>> '{actor,type}' = ? AND e.private #>> '{actor,id}' = ?)`;

interface CountRow {
  readonly listed_id: string;
  readonly count: number;
  readonly last_at: number;
  readonly last_by_others_at: number | null;
}

type CommentRow = Pick<RunEventRow, 'seq' | 'at' | 'data' | 'private'>;

/** Lists the comments on an approval and on its earlier rounds, oldest first. */
export async function listComments(
  knex: Knex,
  approvalId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<ApprovalComment>> {
  const list = ['comments', { approvalId: approvalId.toLowerCase() }] as const;
  const [after = '0'] = cursor === undefined ? [] : decodeCursor(...list, cursor, [/^\d{1,9}$/]);
  if (!isStorableId(approvalId)) return { items: [], nextCursor: null };
  const { rows } = await knex.raw<{ rows: CommentRow[] }>(
    `${ROUNDS} SELECT e.seq, e.at, e.data, e.private FROM ${COMMENTS} WHERE e.seq > ?::int ORDER BY e.seq LIMIT ?::int`,
    [[approvalId], after, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(readComment),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(...list, [String(last.seq)]) : null,
  };
}

/** Returns a comment on an approval or on one of its earlier rounds. */
export async function findComment(
  knex: Knex,
  approvalId: string,
  commentId: string,
): Promise<ApprovalComment | undefined> {
  if (!isStorableId(approvalId) || !isStorableId(commentId)) return undefined;
  const { rows } = await knex.raw<{ rows: CommentRow[] }>(
    `${ROUNDS} SELECT e.seq, e.at, e.data, e.private FROM ${COMMENTS} WHERE e.data ->> 'commentId' = ? LIMIT 1`,
    [[approvalId], commentId.toLowerCase()],
  );
  return rows[0] && readComment(rows[0]);
}

/**
 * Counts the comments on approvals and on their earlier rounds. Approvals without comments are missing.
 *
 * @param reader whose own comments are told from those of others
 */
export async function countComments(
  knex: Knex,
  approvalIds: readonly string[],
  reader: Pick<Actor, 'type' | 'id'>,
): Promise<ReadonlyMap<string, CommentCount>> {
  const storableIds = approvalIds.filter(isStorableId);
  if (storableIds.length === 0) return new Map();
  const { rows } = await knex.raw<{ rows: CountRow[] }>(
    `${ROUNDS} SELECT r.listed_id, count(*)::int AS count, max(e.at) AS last_at,
       max(e.at) FILTER (WHERE ${IS_BY} IS NOT TRUE) AS last_by_others_at
     FROM ${COMMENTS} GROUP BY r.listed_id`,
    [storableIds, reader.type, reader.id],
  );
  return new Map(
    rows.map(({ listed_id, count, last_at, last_by_others_at }) => [
      listed_id,
      { count, lastAt: last_at, lastByOthersAt: last_by_others_at },
    ]),
  );
}

/** All rounds of an approval, also the later ones. They belong to one run, whose approvals are read once. */
const ALL_ROUNDS = `
  WITH RECURSIVE of_run AS MATERIALIZED (
    SELECT a.approval_id, a.previous_approval_id FROM approvals a
    WHERE a.run_id = (SELECT run_id FROM approvals WHERE approval_id = ?::uuid)
  ), rounds AS (
    SELECT approval_id, previous_approval_id FROM of_run WHERE approval_id = ?::uuid
    UNION
    SELECT a.approval_id, a.previous_approval_id
    FROM rounds r JOIN of_run a ON a.approval_id = r.previous_approval_id OR a.previous_approval_id = r.approval_id
  )`;

const EMPTY_DISCUSSION: DiscussionSize = Object.freeze({
  comments: 0,
  characters: 0,
  ownComments: 0,
  ownCharacters: 0,
});

/** Measures the comments on all rounds of an approval, and those of one author. */
export async function measureDiscussion(
  knex: Knex,
  approvalId: string,
  { type, id }: Pick<Actor, 'type' | 'id'>,
): Promise<DiscussionSize> {
  if (!isStorableId(approvalId)) return EMPTY_DISCUSSION;
  const { rows } = await knex.raw<{ rows: DiscussionSize[] }>(
    `${ALL_ROUNDS}, measured AS (
       SELECT ${IS_BY} AS is_own,
         coalesce(length(e.private ->> 'text'), 0) + coalesce(length(e.private #>> '{line,quote}'), 0) AS characters
       FROM ${COMMENTS}
     )
     SELECT count(*)::int AS comments, coalesce(sum(characters), 0)::int AS characters,
       (count(*) FILTER (WHERE is_own))::int AS "ownComments",
       coalesce(sum(characters) FILTER (WHERE is_own), 0)::int AS "ownCharacters"
     FROM measured`,
    [approvalId, approvalId, type, id],
  );
  return rows[0] ?? EMPTY_DISCUSSION;
}
