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

/** Methods to save evidence: the user chooses the file in a dialog of the operating system. */
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

/** Suggests only the base name, whatever name the server reports; the user chooses the directory. */
async function chooseFile(window: BrowserWindow | undefined, name: string): Promise<string | undefined> {
  const options = { defaultPath: name.replace(/^\.+|[/\\:*?"<>|\p{Cc}\p{Cf}]/gu, '_') || 'artifact' };
  const { canceled, filePath } =
    window === undefined ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  return canceled || filePath === undefined || filePath === '' ? undefined : filePath;
}
