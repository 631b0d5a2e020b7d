/** Returns whether a label is a host, or an address that begins with it. */
export function startsWithHost(label: string, host: string): boolean {
  const rest = label.replace(/^(?:https?:\/\/|mailto:)/i, '');
  return rest === host || rest.startsWith(`${host}/`) || rest.startsWith(`${host}?`);
}
