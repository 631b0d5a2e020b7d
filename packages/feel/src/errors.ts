/** A position in a FEEL source: `offset` in UTF-16 units from 0, `line` and `column` from 1. */
export interface FeelPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Thrown when a source cannot be compiled: it is not valid FEEL, or it uses a feature that a replayable, bounded run
 * cannot support.
 */
export class FeelSyntaxError extends Error {
  readonly code = 'feel_syntax_error';

  constructor(
    /** The reason without the position. */
    readonly reason: string,
    readonly source: string,
    readonly position: FeelPosition,
  ) {
    super(`${reason} (line ${position.line}, column ${position.column})`);
    this.name = 'FeelSyntaxError';
  }
}

/**
 * Name of the exceeded limit: `steps`, `size` and `depth` are described in `FeelLimits`; the others are limits of the
 * compiler and of values.
 */
export type FeelLimitName = 'source' | 'nesting' | 'steps' | 'size' | 'depth' | 'pattern';

/**
 * Thrown when a counted limit is exceeded during compilation or evaluation. The same input always exceeds the same
 * limit.
 */
export class FeelLimitError extends Error {
  readonly code = 'feel_limit_exceeded';

  constructor(
    readonly limit: FeelLimitName,
    readonly maximum: number,
  ) {
    super(`FEEL limit exceeded: ${limit} (at most ${maximum})`);
    this.name = 'FeelLimitError';
  }
}

/**
 * Thrown when the condition of `assert(value, condition, cause)` is not true. Zeebe raises an incident in the same
 * case.
 */
export class FeelAssertionError extends Error {
  readonly code = 'feel_assertion_failed';

  constructor(message: string) {
    super(message);
    this.name = 'FeelAssertionError';
  }
}

/**
 * Thrown when a string in the result contains an unpaired surrogate (RFC 8785, 3.2.2.2) or a NUL character
 * (PostgreSQL).
 */
export class FeelStringError extends Error {
  readonly code = 'feel_string_invalid';

  constructor(text: string) {
    super(
      `The result contains an unpaired surrogate or a NUL character, which cannot be stored: ${JSON.stringify(text.slice(0, MAX_QUOTED_LENGTH))}. Fix the expression or its variables`,
    );
    this.name = 'FeelStringError';
  }
}

/**
 * Thrown when a double cannot represent a number in the result exactly, so JSON would contain a different number (RFC
 * 7493, 2.2).
 */
export class FeelNumberError extends Error {
  readonly code = 'feel_number_not_exact';

  constructor(number: string) {
    super(
      `The result contains the number ${number.slice(0, MAX_QUOTED_LENGTH)}, which JSON cannot hold exactly. Keep it as text: string(…), or "…" for a literal`,
    );
    this.name = 'FeelNumberError';
  }
}

/** Maximum length of a quotation in a message, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 100;

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}

/** Returns the position of an offset in a source text. */
export function getPosition(source: string, offset: number): FeelPosition {
  const clampedOffset = Math.max(0, Math.min(offset, source.length));
  let line = 1;
  let start = 0;
  for (let next = source.indexOf('\n'); next !== -1 && next < clampedOffset; next = source.indexOf('\n', next + 1)) {
    line += 1;
    start = next + 1;
  }
  return { offset: clampedOffset, line, column: clampedOffset - start + 1 };
}
