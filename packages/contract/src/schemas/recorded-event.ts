import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { idSchema, jsonObjectSchema, timestampSchema } from './common.js';
import { listOf } from './list.js';
import { pageQueryShape } from './query.js';

const statusSchema = z.enum(['matched', 'unmatched', 'buffered', 'expired', 'refused']).meta({
  id: 'RecordedEventStatus',
  description:
    '`matched`: it resumed or started a run. `unmatched`: nobody waited. `buffered`: it is kept for a run that comes to wait; `expired`: it was, and nobody came. ' +
    '`refused`: its sender is not known, or may not say this; of such there is one record for each reason and minute, without what was sent.',
});

const shape = {
  eventId: idSchema,
  via: z.string().meta({ description: 'The way in.', example: 'event-ingress' }),
  source: z.string().nullable().meta({ description: 'Who sent it; `null` where nobody knows.', example: 'ci' }),
  status: statusSchema,
  code: z.string().nullable().meta({ description: 'Why it was refused.', example: 'invalid_signature' }),
  deliveryId: z.string().nullable().meta({ description: 'What makes a repeat of it one.' }),
  messageName: z.string().nullable(),
  correlationKey: z.string().nullable(),
  runIds: z.array(idSchema).meta({ description: 'Runs that it resumed, and behind them those that it started.' }),
  startedRunIds: z.array(idSchema),
  receivedAt: timestampSchema,
  expiresAt: timestampSchema.nullable().meta({ description: 'Until then it is kept.' }),
  repeats: z.int().meta({ description: 'How often it came again.' }),
  lastRepeatAt: timestampSchema.nullable(),
  bodyDigest: z.string().nullable().meta({ description: 'SHA-256 of the body as it came, in hexadecimal.' }),
  from: z.string().nullable().meta({ description: 'The address that it came from.' }),
};

export const recordedEventSchema = z
  .object(shape)
  .meta({ id: 'RecordedEvent', description: 'An event that another system delivered, and what became of it.' });
export const recordedEventDetailSchema = z
  .object({ ...shape, payload: jsonObjectSchema.nullable().meta({ description: '`null` where it was refused.' }) })
  .meta({ id: 'RecordedEventDetail' });
export const recordedEventListSchema = listOf(recordedEventSchema, 'RecordedEventList');

export const listRecordedEventsQuerySchema = z.strictObject({
  ...pageQueryShape,
  status: z
    .enum([...statusSchema.options, 'duplicate'])
    .optional()
    .meta({ description: '`duplicate`: those that came more than once, whatever became of them.' }),
  via: z.string().min(1).max(100).optional(),
  source: z.string().min(1).max(MAX_NAME_LENGTH).optional(),
  messageName: z.string().min(1).max(MAX_NAME_LENGTH).optional(),
});

export type RecordedEvent = z.infer<typeof recordedEventSchema>;
export type RecordedEventDetail = z.infer<typeof recordedEventDetailSchema>;
/** The filters after validation, with defaults. */
export type ListRecordedEventsQuery = z.output<typeof listRecordedEventsQuerySchema>;
