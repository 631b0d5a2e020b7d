/**
 * Longest name or id that becomes a key, in UTF-16 code units: of workflows, elements, messages, correlation keys, signals,
 * job types, decisions, people and groups, and business keys. Two of them and an id of a workflow have to fit into one
 * entry of an index, which PostgreSQL limits to a third of a page (about 2,700 bytes). Names of artifacts are shorter
 * (`artifact-name.ts`), as they are also names of files.
 */
export const MAX_NAME_LENGTH = 255;

/** The fault of a name or id that is too long, or `undefined`. @param what it is, as a subject: `The job type of "work"` */
export function faultOfLength(text: string, what: string): string | undefined {
  return text.length <= MAX_NAME_LENGTH
    ? undefined
    : `${what} has ${text.length} characters; the limit is ${MAX_NAME_LENGTH}.`;
}
