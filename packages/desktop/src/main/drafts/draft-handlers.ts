import type { OperationResult } from '../../common/operation-result.js';
import type { Desktop } from '../desktop.js';
import type { Handlers } from '../ipc/serve-methods.js';
import type { ServerSession } from '../session/server-session.js';

/**
 * Creates the draft methods of the window, which read and write the drafts of the signed-in user at the active server.
 */
export function createDraftHandlers(desktop: Desktop): Pick<Handlers, 'loadDrafts' | 'saveDraft' | 'dropDraft'> {
  return {
    loadDrafts: () => {
      const { currentSession } = desktop;
      const subject = findDraftOwner(currentSession);
      return subject === undefined ? [] : (currentSession?.drafts.list(subject) ?? []);
    },
    saveDraft: (draft) => {
      const subject = findDraftOwner(desktop.currentSession);
      if (subject !== undefined) desktop.currentSession?.drafts.put(subject, draft);
      return undefined;
    },
    dropDraft: (draft) => {
      const subject = findDraftOwner(desktop.currentSession);
      if (subject !== undefined) desktop.currentSession?.drafts.drop(subject, draft);
      return undefined;
    },
  };
}

/** Waits for the result of sending a vote and deletes its draft only on success, so that no text is lost on failure. */
export async function dropDraftOnceSent<T>(
  session: ServerSession,
  approvalId: string,
  sendResult: Promise<OperationResult<T>>,
): Promise<OperationResult<T>> {
  const subject = findDraftOwner(session);
  const result = await sendResult;
  if (result.ok && subject !== undefined) session.drafts.drop(subject, { approvalId });
  return result;
}

/** Returns the subject of the signed-in user, even while the server does not respond. */
function findDraftOwner(session: ServerSession | undefined): string | undefined {
  return session?.state.kind === 'signed-in' || session?.state.kind === 'offline'
    ? session.state.me.subject
    : undefined;
}
