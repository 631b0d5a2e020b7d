import { dialog, type BrowserWindow } from 'electron';
import type { Desktop } from '../desktop.js';
import type { Handlers } from '../ipc/serve-methods.js';
import type { MainWindow } from '../window/main-window.js';
import { saveArtifact } from './save-artifact.js';

interface EvidenceHandlersOptions {
  readonly desktop: Desktop;
  window(): BrowserWindow | undefined;
  sendToWindow: MainWindow['send'];
}

/** Creates the method that saves evidence. The user chooses the file in a dialog of the operating system. */
export function createEvidenceHandlers({
  desktop,
  window,
  sendToWindow,
}: EvidenceHandlersOptions): Pick<Handlers, 'saveArtifact'> {
  return {
    saveArtifact: (artifact) =>
      desktop.runInSession(async ({ client }) => {
        const file = await chooseFile(window(), artifact.artifactName);
        if (file === undefined) return { ok: true, value: { saved: false } };
        return saveArtifact(client, artifact, file, (received, total) =>
          sendToWindow('saving', { transferId: artifact.transferId, received, total: total ?? null }),
        );
      }),
  };
}

/**
 * Lets the user choose a file. The suggested name never contains a directory, even if the name from the server does.
 */
async function chooseFile(window: BrowserWindow | undefined, name: string): Promise<string | undefined> {
  const options = { defaultPath: name.replace(/^\.+|[/\\:*?"<>|\p{Cc}\p{Cf}]/gu, '_') || 'artifact' };
  const { canceled, filePath } =
    window === undefined ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  return canceled || filePath === undefined || filePath === '' ? undefined : filePath;
}
