import { z } from 'zod';
import { principalSchema, timestampInputSchema, timestampSchema } from './common.js';
import { identitySchema } from './identity.js';
import { listOf } from './list.js';
import { pageQueryShape } from './query.js';

const shape = {
  subject: principalSchema.meta({ description: 'The absent person.' }),
  substitute: principalSchema
    .nullable()
    .meta({ description: 'Who may decide in their place meanwhile what asks them by name; `null`: nobody.' }),
  until: timestampSchema.meta({ description: 'From then on they are back.' }),
};

/** The absence of a candidate, as part of an approval. */
export const awaySchema = z.object(shape).meta({ id: 'Away', description: 'A current absence.' });

export const absenceSchema = z
  .object({
    ...shape,
    from: timestampSchema.meta({ description: 'When it begins: it may lie ahead.' }),
    setAt: timestampSchema,
    setBy: principalSchema.meta({ description: 'The person, or an administrator.' }),
    awaitsSignIn: z.boolean().meta({
      description:
        '`subject` is the user name of somebody who has not signed in yet. Until they do, the substitute decides nothing.',
    }),
  })
  .meta({ id: 'Absence', description: 'A current or future absence.' });

export const absenceListSchema = listOf(absenceSchema, 'AbsenceList');

/** The current absence; `null` if there is none, which is not an error. */
export const currentAbsenceSchema = z.object({ absence: absenceSchema.nullable() }).meta({ id: 'CurrentAbsence' });

export const setAbsenceBodySchema = z
  .strictObject({
    from: timestampInputSchema.optional().meta({ description: 'Now where it is left out.' }),
    until: timestampInputSchema.meta({ description: 'Later than `from`, and at most 366 days from now.' }),
    substitute: identitySchema.optional().meta({
      description:
        'Another person, who needs the role to decide as everybody does. Left out: it is only known that you are away.',
    }),
  })
  .meta({ id: 'SetAbsence' });

export const listAbsencesQuerySchema = z.strictObject(pageQueryShape);

export type Away = z.infer<typeof awaySchema>;
export type Absence = z.infer<typeof absenceSchema>;
export type CurrentAbsence = z.infer<typeof currentAbsenceSchema>;
export type SetAbsenceBody = z.infer<typeof setAbsenceBodySchema>;
