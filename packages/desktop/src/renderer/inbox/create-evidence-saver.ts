import type { InboxHost } from '@countersign/inbox-ui';
import type { CountersignBridge } from '../../common/bridge.js';
import { unwrapResult } from '../api/unwrap-result.js';

/**
 * Saves evidence through the main process, which lets the user choose the file and saves only content that matches the
 * digest in the approval.
 */
export function createEvidenceSaver(bridge: CountersignBridge): NonNullable<InboxHost['saveEvidence']> {
  return async ({ runId, name, version, sha256 }, onProgress) => {
    const transferId = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    const stop = bridge.on('saving', (progress) => {
      if (progress.transferId === transferId) onProgress(progress.received, progress.total ?? undefined);
    });
    try {
      return unwrapResult(await bridge.saveArtifact({ runId, artifactName: name, version, sha256, transferId })).saved;
    } finally {
      stop();
    }
  };
}
