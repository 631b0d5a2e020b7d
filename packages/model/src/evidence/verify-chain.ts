import { sha256Hex } from '#sha256';
import { canonicalJson } from '../canonical-json.js';
import type { Json, JsonObject } from '../json.js';
import { computeCommitment, GENESIS_HASH } from '../run-event.js';
import type { ReportProblem } from './integrity-problem.js';
import { stringOr } from './pack-members.js';

/** The fields that the hash of a run event covers, besides the run id. */
export const EVENT_FIELDS: readonly string[] = Object.freeze([
  'seq',
  'at',
  'type',
  'stepId',
  'elementId',
  'data',
  'commitment',
  'previousHash',
]);
/** The fields that the hash of an audit event covers, besides the run id. */
export const AUDIT_FIELDS: readonly string[] = Object.freeze([
  'seq',
  'auditId',
  'at',
  'action',
  'target',
  'result',
  'commitment',
  'previousHash',
]);

/** A chain, or a part of a chain, in a document. */
export interface ChainPart {
  readonly links: readonly JsonObject[];
  /** JSON Pointer to the links in the document. */
  readonly pointer: string;
  /** The fields that the hash of a link covers, besides the run id. */
  readonly fields: readonly string[];
  /** `null` for the server's chain. */
  readonly runId: string | null;
  /** `seq` and `hash` of the link before the first; defaults to the beginning of the chain. */
  readonly previous?: JsonObject;
  /** `seq` and `hash` of the last link. */
  readonly head: JsonObject;
  /** Positions whose private part may be missing. */
  readonly erased: ReadonlySet<number>;
}

const GENESIS: JsonObject = Object.freeze({ seq: 0, hash: GENESIS_HASH });

/** Checks that no link before the head is missing, and that each link hashes to its `hash` (ADR 5). */
export function verifyChain(
  { links, pointer, fields, runId, previous = GENESIS, head, erased }: ChainPart,
  report: ReportProblem,
): void {
  let expectedPreviousHash = stringOr(previous['hash'], '');
  let seq = Number(previous['seq']);
  for (const [index, link] of links.entries()) {
    const linkPointer = `${pointer}/${index}`;
    if (link['seq'] !== seq + 1 || link['previousHash'] !== expectedPreviousHash)
      report('chain_broken', linkPointer, `Link ${seq + 1} is missing, or does not follow link ${seq}.`);
    seq += 1;
    verifyLink(link, fields, runId, erased.has(seq), linkPointer, report);
    expectedPreviousHash = stringOr(link['hash'], '');
  }
  if (head['seq'] !== seq || head['hash'] !== expectedPreviousHash)
    report('head_differs', pointer, 'The last link is not the stated head.');
}

/**
 * Checks that a link hashes to its `hash`, and that its private part matches its commitment.
 *
 * @param runId `null` in the server's chain
 * @param isErased whether the history records that the private part was erased, so that it may be missing
 */
export function verifyLink(
  link: JsonObject,
  fields: readonly string[],
  runId: string | null,
  isErased: boolean,
  pointer: string,
  report: ReportProblem,
): void {
  const hashedFields: Record<string, Json> = { runId };
  for (const name of fields) hashedFields[name] = link[name] ?? null;
  if (sha256Hex(canonicalJson(hashedFields)) !== link['hash'])
    report('chain_broken', pointer, 'The link does not match its hash: it was changed.');
  const { private: privatePart = null, salt = null, commitment = null } = link;
  if (privatePart === null) {
    if (commitment !== null && !isErased)
      report(
        'private_part_missing',
        pointer,
        'The private part that the event commits to is missing, and no event records its erasure.',
      );
    return;
  }
  const matchesCommitment =
    typeof salt === 'string' && computeCommitment(canonicalJson(privatePart), salt) === commitment;
  if (!matchesCommitment)
    report('commitment_differs', pointer, 'The private part does not match its commitment, or its salt is missing.');
}
