import { digestSchema, idSchema } from '@countersign/contract';
import { z } from 'zod';

/**
 * Maximum lengths of the comment and of the arguments, in characters: 64 Ki together. Drafts with longer texts are
 * refused.
 */
const MAX_COMMENT_LENGTH = 10_000;
const MAX_ARGUMENTS_LENGTH = 55_536;

/** Draft of a decision form, with the subject and round that it was written about. */
export const draftSchema = z.strictObject({
  approvalId: idSchema,
  round: z.int().min(1),
  subjectDigest: digestSchema,
  form: z.strictObject({
    act: z.enum(['approve', 'reject', 'request_changes', 'edit']),
    comment: z.string().max(MAX_COMMENT_LENGTH),
    argumentsText: z.string().max(MAX_ARGUMENTS_LENGTH),
  }),
});

export const dropDraftSchema = draftSchema.pick({ approvalId: true });

export type Draft = z.output<typeof draftSchema>;
