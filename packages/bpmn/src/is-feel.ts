/** Returns whether an expression language is FEEL: `feel`, or the URI of FEEL in any version of DMN. */
export function isFeel(language: string | undefined): boolean {
  return language !== undefined && /(?:^|\/)feel(?:\/\d{8})?\/?$/i.test(language.trim());
}
