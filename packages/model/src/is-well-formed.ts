const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Returns whether every surrogate in a text is part of a pair. Chromium before 111 and the oldest Electron of the
 * desktop client lack `String.prototype.isWellFormed()`.
 */
export function isWellFormed(text: string): boolean {
  return 'isWellFormed' in String.prototype ? text.isWellFormed() : !LONE_SURROGATE.test(text);
}
