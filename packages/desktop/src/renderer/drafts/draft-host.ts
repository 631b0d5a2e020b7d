import type { DraftHost } from '@countersign/inbox-ui';
import { draftSchema } from '../../common/drafts.js';
import type { CountersignBridge } from '../../common/bridge.js';

/**
 * Stores each change of a draft in the main process, so that no text is lost when the window closes. A draft that is
 * too long is deleted.
 */
export function createDraftHost(bridge: CountersignBridge): DraftHost {
  return {
    load: () => bridge.loadDrafts(),
    save: ({ approvalId, round, digest }, form) => {
      const draft = draftSchema.safeParse({ approvalId, round, subjectDigest: digest, form });
      void (draft.success ? bridge.saveDraft(draft.data) : bridge.dropDraft({ approvalId }));
    },
  };
}
