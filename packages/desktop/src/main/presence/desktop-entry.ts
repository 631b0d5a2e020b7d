/** An entry of the Desktop Entry Specification that starts this application. @param command the program and its arguments */
export function desktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Countersign',
    'Comment=Approvals waiting for you',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** As `Exec` has it: in quotes, in which some characters need a backslash, which the string type of the file needs twice; `%` begins a field code. */
function quoted(argument: string): string {
  return `"${argument
    .replace(/["`$\\]/g, '\\$&')
    .replace(/\\/g, '\\\\')
    .replace(/%/g, '%%')}"`;
}
