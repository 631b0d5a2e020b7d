import type { DraftHost } from '@countersign/inbox-ui';
import { draftSchema } from '../../common/drafts.js';
import type { CountersignBridge } from '../../common/bridge.js';

/** Drafts are kept by the main process, from one key to the next: what was written is there whenever the window goes. */
export function draftHostOf(bridge: CountersignBridge): DraftHost {
  return {
    load: () => bridge.loadDrafts(),
    save: ({ approvalId, round, digest }, form) => {
      const draft = draftSchema.safeParse({ approvalId, round, subjectDigest: digest, form });
      void (draft.success ? bridge.saveDraft(draft.data) : bridge.dropDraft({ approvalId }));
    },
  };
}
