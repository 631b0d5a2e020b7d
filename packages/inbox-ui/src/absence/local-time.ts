/** A moment as an input of date and time takes it, to the minute. @param at RFC 3339 */
export function toLocalInput(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What such an input gives, as RFC 3339. @returns `undefined` where it is empty, or no moment */
export function fromLocalInput(text: string): string | undefined {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
