/**
 * Copies text to the clipboard. Browsers offer `navigator.clipboard` only on pages loaded with TLS or from this machine,
 * and the desktop client does not permit it; there, a temporary field is selected and copied, which requires a click or a
 * key press.
 *
 * @throws {Error} if the browser allows neither.
 */
export async function copyText(text: string): Promise<void> {
  if (!(await tryClipboard(text))) copySelection(text);
}

async function tryClipboard(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard === undefined || (await isDenied())) return false;
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a request would be refused. The desktop client reports refused requests as a sign of an attack. */
async function isDenied(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-write' as PermissionName })).state === 'denied';
  } catch {
    // Firefox and Safari do not know this permission.
    return false;
  }
}

function copySelection(text: string): void {
  const previousFocus = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const wasCopied = document.execCommand('copy');
  field.remove();
  if (previousFocus instanceof HTMLElement) previousFocus.focus();
  if (!wasCopied) throw new Error('Copying is not allowed.');
}
