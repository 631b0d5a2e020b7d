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
 * Quotes an argument for `Exec`: some characters need a backslash inside quotes, doubled by the file's string type; `%`
 * starts a field code.
 */
function quoteArgument(argument: string): string {
  return `"${argument
    .replace(/["`$\\]/g, '\\$&')
    .replace(/\\/g, '\\\\')
    .replace(/%/g, '%%')}"`;
}
