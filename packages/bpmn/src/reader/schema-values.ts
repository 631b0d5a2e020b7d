/** The namespaces in scope by prefix, with the suffix `$uri` (as in saxen). */
export type Namespaces = Readonly<Record<string, string | undefined>>;

/** Collapses white space (XML Schema part 2, 4.3.6, `collapse`): none at the ends, one space elsewhere. */
export function collapseWhiteSpace(text: string): string {
  return text.replaceAll(/[ \t\n\r]+/g, ' ').replace(/^ | $/g, '');
}

/** Reads a boolean (XML Schema part 2, 3.2.2); returns `undefined` if the text is not a boolean. */
export function readBoolean(text: string): 'true' | 'false' | undefined {
  switch (collapseWhiteSpace(text)) {
    case 'true':
    case '1':
      return 'true';
    case 'false':
    case '0':
      return 'false';
    default:
      return undefined;
  }
}

/** Reads an integer (XML Schema part 2, 3.3.13); returns `undefined` if the text is not an integer. */
export function readInteger(text: string): string | undefined {
  const value = collapseWhiteSpace(text);
  return /^[+-]?\d+$/.test(value) ? value : undefined;
}

/**
 * Returns the local part of a QName in the namespace of the model, and any other text unchanged (XML Schema part 2,
 * 3.2.18).
 */
export function stripPrefix(name: string, namespaces: Namespaces, target: string | undefined): string {
  const colon = name.indexOf(':');
  const namespace = colon === -1 ? undefined : namespaces[`${name.slice(0, colon)}$uri`];
  return namespace !== undefined && namespace === target ? name.slice(colon + 1) : name;
}
