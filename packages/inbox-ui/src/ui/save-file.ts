/** Gives a file to the person as a download, whatever is in it: nothing of it is opened in the page. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has to have begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 30_000);
}
