/**
 * Maximum length of a name or id that becomes a key, in UTF-16 code units: of workflows, elements, messages,
 * correlation keys, signals, job types, decisions, people and groups, and business keys. Two of them and a workflow id
 * must fit into one index entry, which PostgreSQL limits to a third of a page (about 2,700 bytes). Artifact names are
 * shorter (`artifact-name.ts`), as they are also file names.
 */
export const MAX_NAME_LENGTH = 255;

/**
 * Returns the error message for a name or id that is too long, or `undefined`.
 *
 * @param label subject of the message, for example `The job type of "work"`
 */
export function findLengthError(text: string, label: string): string | undefined {
  return text.length <= MAX_NAME_LENGTH
    ? undefined
    : `${label} has ${text.length} characters; the limit is ${MAX_NAME_LENGTH}.`;
}
