import {
  commentSchema,
  decisionSchema,
  digestSchema,
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  routes,
  shownEvidenceSchema,
} from '@countersign/contract';
import { z } from 'zod';
import type { MethodName } from './channels.js';
import { draftSchema, dropDraftSchema } from './drafts.js';
import { shortcutSettingsSchema } from './shortcut-settings.js';
import { allowedOperationSchema } from './operations.js';
import { preferencesSchema, muteSchema, snoozeSchema, wakeSchema } from './presence.js';
import { ZOOM_STEPS } from './zoom.js';

const noInputSchema = z.undefined();
const serverId = z.uuid();
const idempotencyKey = z.string().regex(/^[\x21-\x7e]{8,255}$/);

const artifactSchema = z.strictObject({
  ...routes.downloadArtifact.params.shape,
  version: z.int().min(1).optional(),
});

/** Artifact to save. The file is saved only if its content matches `sha256`. Progress events contain `transferId`. */
const saveArtifactSchema = artifactSchema.extend({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  transferId: z.string().regex(/^[0-9a-f]{32}$/),
});

const shownEvidenceListSchema = z.array(shownEvidenceSchema).max(1_000);

/**
 * A vote on exactly what was displayed: `subjectDigest` and `round` of the approval as opened. The voter comes from the
 * session; the main process signs, because only it has the key.
 */
export const voteSchema = z.strictObject({
  approvalId: idSchema,
  round: z.int().min(1),
  subjectDigest: digestSchema,
  decision: decisionSchema,
  comment: commentSchema.optional(),
  editedArguments: jsonObjectSchema.optional(),
  shown: shownEvidenceListSchema.optional(),
  /** Idempotency key, the same for all attempts to send the vote. */
  idempotencyKey,
});

const bulkVoteSchema = z.strictObject({
  approvals: z
    .array(
      z.strictObject({
        approvalId: idSchema,
        round: z.int().min(1),
        subjectDigest: digestSchema,
        shown: shownEvidenceListSchema.optional(),
      }),
    )
    .min(1)
    .max(100),
  idempotencyKey,
});

/** Input of each method. The main process validates it, because the caller may be injected code. */
export const METHOD_INPUTS = Object.freeze({
  getState: noInputSchema,
  takeLink: noInputSchema,
  addServer: z.strictObject({ url: z.string().min(1).max(2_000), name: z.string().trim().max(100) }),
  removeServer: z.strictObject({ serverId }),
  selectServer: z.strictObject({ serverId }),
  retry: noInputSchema,
  signIn: noInputSchema,
  cancelSignIn: noInputSchema,
  useDevelopmentToken: z.strictObject({
    token: z
      .string()
      .trim()
      .min(1)
      .max(16_384)
      .regex(/^[\x21-\x7e]+$/),
  }),
  signOut: noInputSchema,
  call: z.strictObject({ operation: allowedOperationSchema, input: z.record(z.string(), z.unknown()) }),
  readArtifact: artifactSchema,
  saveArtifact: saveArtifactSchema,
  vote: voteSchema,
  voteTogether: bulkVoteSchema,
  listUnconfirmed: noInputSchema,
  dismissUnconfirmed: z.strictObject({ idempotencyKey }),
  answerQuestion: z.strictObject({ questionId: idSchema, answer: jsonValueSchema, idempotencyKey }),
  comment: z.strictObject({ approvalId: idSchema, body: routes.commentOnApproval.body, idempotencyKey }),
  openLink: z.strictObject({ url: z.string().min(1).max(2_000) }),
  getPresence: noInputSchema,
  setPreferences: preferencesSchema,
  setQuiet: muteSchema,
  snooze: snoozeSchema,
  wake: wakeSchema,
  getKeys: noInputSchema,
  setKeys: shortcutSettingsSchema,
  zoom: z.strictObject({ step: z.enum(ZOOM_STEPS) }),
  getSigning: noInputSchema,
  checkSigning: noInputSchema,
  setUpSigning: routes.registerSigningKey.body.pick({ name: true }),
  enrolSigningKey: noInputSchema,
  countersignSigningKey: z.strictObject(routes.countersignMySigningKey.params.shape),
  revokeSigningKey: z.strictObject(routes.revokeMySigningKey.params.shape),
  setSignsEvery: z.strictObject({ on: z.boolean() }),
  loadDrafts: noInputSchema,
  saveDraft: draftSchema,
  dropDraft: dropDraftSchema,
} satisfies Record<MethodName, z.ZodType>);

export type MethodInput<M extends MethodName> = z.output<(typeof METHOD_INPUTS)[M]>;
export type Vote = z.output<typeof voteSchema>;
