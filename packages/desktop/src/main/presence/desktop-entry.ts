/**
 * Returns a desktop entry that starts this application (Desktop Entry Specification).
 *
 * @param command the program and its arguments
 */
export function buildDesktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Countersign',
    'Comment=Approvals waiting for you',
    `Exec=${command.map(quoteArgument).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * Quotes an argument for `Exec`. Inside quotes, some characters need a backslash, which must itself be escaped in a
 * value of type string. `%` starts a field code, so it is doubled.
 */
function quoteArgument(argument: string): string {
  return `"${argument
    .replace(/["`$\\]/g, '\\$&')
    .replace(/\\/g, '\\\\')
    .replace(/%/g, '%%')}"`;
}
