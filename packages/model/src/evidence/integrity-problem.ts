/** What does not hold in an evidence pack. */
export interface IntegrityProblem {
  readonly code: IntegrityProblemCode;
  /** JSON Pointer (RFC 6901) to the place in the pack. */
  readonly pointer: string;
  /** For people. */
  readonly message: string;
}

export type IntegrityProblemCode =
  /** The pack has no form that this code knows. */
  | 'format_unknown'
  /** A member is missing or has another type. */
  | 'malformed'
  /** An event is missing, stands in the wrong place, or does not hash to its `hash`. */
  | 'chain_broken'
  /** The last event is not the one that the head names, or the two chains do not belong together. */
  | 'head_differs'
  /** A private part is not the one that was committed to. */
  | 'commitment_differs'
  /** A private part was committed to and is missing, and no event says that it was erased. */
  | 'private_part_missing'
  /** A named person is not the one whose digest was hashed. */
  | 'person_differs'
  /** The pack says something of a person, or of an approval, that its events do not say. */
  | 'statement_differs'
  /** A document is not the one whose digest the events name. */
  | 'digest_differs'
  /** A signed vote, or the proof of a key, does not verify. */
  | 'signature_invalid';

export type Report = (code: IntegrityProblemCode, pointer: string, message: string) => void;
