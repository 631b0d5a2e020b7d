import { z } from 'zod';
import { artifactNameSchema } from './artifact.js';
import { commentSchema, digestSchema, idSchema, principalSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

const commentedLineSchema = z
  .strictObject({
    pointer: z
      .string()
      .regex(/^(\/|$)/)
      .max(1_000)
      .optional()
      .meta({
        description: 'RFC 6901 pointer to the text in the subject.',
        example: '/inputs/patch',
      }),
    evidence: artifactNameSchema.optional().meta({ description: 'Name of the evidence that is the text.' }),
    file: z.string().min(1).max(1_000).optional().meta({ description: 'Path of the file, if the text is a patch.' }),
    side: z.enum(['before', 'after']).meta({
      description: 'The side of a difference on which the line is; `after` for a text without a comparison.',
    }),
    number: z.int().min(1).max(10_000_000).meta({ description: 'Line number on this side.' }),
    quote: z.string().max(1_000).meta({ description: 'The line, possibly truncated, as it was displayed.' }),
  })
  .refine(({ pointer, evidence }) => (pointer === undefined) !== (evidence === undefined), {
    message: 'Name either "pointer" or "evidence".',
  })
  .meta({ id: 'CommentedLine', description: 'A line of a text in the subject of an approval, or in its evidence.' });

export const commentBodySchema = z
  .strictObject({
    text: commentSchema,
    replyTo: idSchema.optional().meta({ description: 'The comment that this one replies to.' }),
    line: commentedLineSchema.optional().meta({ description: 'The line that it is about. Not allowed in a reply.' }),
  })
  .refine(({ replyTo, line }) => replyTo === undefined || line === undefined, {
    message: 'A reply is about the line of its thread. Omit it.',
    path: ['line'],
  })
  .meta({ id: 'CommentOnApproval', example: { text: 'Which contract does this invoice belong to?' } });

const ERASED_NOTE = '`null` if it was erased.';

export const approvalCommentSchema = z
  .object({
    commentId: idSchema,
    approvalId: idSchema.meta({ description: 'The approval, or an earlier round of it.' }),
    round: z.int().min(1),
    replyTo: idSchema
      .nullable()
      .meta({ description: 'The comment that started the thread; `null` if this comment started it.' }),
    at: timestampSchema,
    by: principalSchema.nullable().meta({ description: ERASED_NOTE }),
    byName: z.string().nullable(),
    text: z.string().nullable().meta({ description: ERASED_NOTE }),
    line: commentedLineSchema
      .nullable()
      .meta({ description: 'The line that it is about; `null`: the whole approval, or erased.' }),
    digest: digestSchema.meta({ description: 'Digest of the subject when the comment was written.' }),
  })
  .meta({ id: 'ApprovalComment', description: 'A comment on an approval. It is not a vote.' });

export const approvalCommentListSchema = buildListSchema(approvalCommentSchema, 'ApprovalCommentList');

export const listCommentsQuerySchema = z.strictObject(pageQueryShape);

export type ApprovalComment = z.infer<typeof approvalCommentSchema>;
export type CommentedLine = z.infer<typeof commentedLineSchema>;
export type CommentBody = z.infer<typeof commentBodySchema>;
