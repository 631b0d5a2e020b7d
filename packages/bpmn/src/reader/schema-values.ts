/** Prefixes that are in scope: the namespace of each is under the prefix with `$uri` behind it, as saxen has it. */
export type Namespaces = Readonly<Record<string, string | undefined>>;

/** XML Schema part 2, 4.3.6, `collapse`: no white space at the ends, one space elsewhere. */
export function collapse(text: string): string {
  return text.replaceAll(/[ \t\n\r]+/g, ' ').replace(/^ | $/g, '');
}

/** XML Schema part 2, 3.2.2; `undefined` where a text is no boolean. */
export function readBoolean(text: string): 'true' | 'false' | undefined {
  switch (collapse(text)) {
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

/** XML Schema part 2, 3.3.13; `undefined` where a text is no integer. */
export function readInteger(text: string): string | undefined {
  const value = collapse(text);
  return /^[+-]?\d+$/.test(value) ? value : undefined;
}

/** The local part of a QName in the namespace of the model; any other text as it is (XML Schema part 2, 3.2.18). */
export function withoutPrefix(name: string, namespaces: Namespaces, target: string | undefined): string {
  const colon = name.indexOf(':');
  const namespace = colon === -1 ? undefined : namespaces[`${name.slice(0, colon)}$uri`];
  return namespace !== undefined && namespace === target ? name.slice(colon + 1) : name;
}
