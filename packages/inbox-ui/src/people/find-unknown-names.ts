import { ProblemError } from '@countersign/contract';

/** The names in a request body, by field. */
export type NamesInBody = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Names that the server refused, because nobody who has signed in has them. */
export interface UnknownNames {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** Returns the names to which an error refers; `undefined` if it is another error. */
export function findUnknownNames(error: unknown, names: NamesInBody): UnknownNames | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  const find = (code: string): string[] =>
    error.errors.filter((each) => each.code === code).flatMap(({ pointer }) => readName(names, pointer) ?? []);
  const unknown = { users: find('unknown_user'), groups: find('unknown_group') };
  return unknown.users.length + unknown.groups.length === 0 ? undefined : unknown;
}

/** Reads a name by its JSON pointer (RFC 6901), such as `/candidateUsers/1`. */
function readName(names: NamesInBody, pointer: string): string | undefined {
  const [, field = '', index] = pointer.split('/');
  const value = Object.hasOwn(names, field) ? names[field] : undefined;
  return typeof value === 'string' ? value : value?.[Number(index)];
}
