import { isWellFormed } from './is-well-formed.js';

const MAX_CHARACTERS = 200;

/**
 * Returns whether a name is 1–200 characters (Unicode code points) long, has no control characters, no `/` or `\`, and
 * is not `.` or `..` (interface decisions, "Artifacts").
 */
export function isArtifactName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= 2 * MAX_CHARACTERS &&
    [...name].length <= MAX_CHARACTERS &&
    name !== '.' &&
    name !== '..' &&
    isWellFormed(name) &&
    !/[\p{Cc}/\\]/u.test(name)
  );
}
