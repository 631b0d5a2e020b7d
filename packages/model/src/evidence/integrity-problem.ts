/** A failed check of an evidence pack. */
export interface IntegrityProblem {
  readonly code: IntegrityProblemCode;
  /** JSON Pointer (RFC 6901) to the location in the pack. */
  readonly pointer: string;
  /** Message for users. */
  readonly message: string;
}

export type IntegrityProblemCode =
  /** The format of the pack is unknown. */
  | 'format_unknown'
  /** A member is missing or has another type. */
  | 'malformed'
  /** An event is missing, is out of order, or does not hash to its `hash`. */
  | 'chain_broken'
  /** The last event is not the one that the head names, or the two chains do not belong together. */
  | 'head_differs'
  /** A private part does not match its commitment. */
  | 'commitment_differs'
  /** A private part has a commitment but is missing, and no event records its erasure. */
  | 'private_part_missing'
  /** A named person does not match the hashed digest. */
  | 'person_differs'
  /** The pack states something about a person or an approval that its events do not record. */
  | 'statement_differs'
  /** A document does not match the digest in the events. */
  | 'digest_differs'
  /** A signed vote, or the proof of a key, does not verify. */
  | 'signature_invalid';

export type ReportProblem = (code: IntegrityProblemCode, pointer: string, message: string) => void;
