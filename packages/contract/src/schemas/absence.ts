import { z } from 'zod';
import { principalSchema, timestampInputSchema, timestampSchema } from './common.js';
import { identitySchema } from './identity.js';
import { buildListSchema } from './list.js';
import { allowUnknownSchema } from './people.js';
import { pageQueryShape } from './query.js';

const absenceShape = {
  subject: principalSchema.meta({ description: 'The absent user.' }),
  substitute: principalSchema.nullable().meta({
    description:
      'The user who may vote in their place during the absence on approvals that name them; `null` if there is no substitute.',
  }),
  until: timestampSchema.meta({ description: 'End of the absence.' }),
};

/** The absence of a candidate, as part of an approval. */
export const candidateAbsenceSchema = z.object(absenceShape).meta({ id: 'Away', description: 'A current absence.' });

export const absenceSchema = z
  .object({
    ...absenceShape,
    from: timestampSchema.meta({ description: 'Start of the absence; may be in the future.' }),
    setAt: timestampSchema,
    setBy: principalSchema.meta({ description: 'The absent user or an admin.' }),
    awaitsSignIn: z.boolean().meta({
      description:
        'Whether `subject` is the user name of a user who has not signed in yet. Until that user signs in, the substitute cannot vote.',
    }),
  })
  .meta({ id: 'Absence', description: 'A current or future absence.' });

export const absenceListSchema = buildListSchema(absenceSchema, 'AbsenceList');

/** The current or future absence; `null` if there is none, which is not an error. */
export const currentAbsenceSchema = z.object({ absence: absenceSchema.nullable() }).meta({ id: 'CurrentAbsence' });

export const setAbsenceBodySchema = z
  .strictObject({
    from: timestampInputSchema.optional().meta({ description: 'Default: now.' }),
    until: timestampInputSchema.meta({ description: 'Later than `from`, and at most 366 days from now.' }),
    substitute: identitySchema.optional().meta({
      description:
        'Another user, who needs the role that voting requires. Without a substitute, the absence is only displayed.',
    }),
    allowUnknown: allowUnknownSchema,
  })
  .meta({ id: 'SetAbsence' });

export const listAbsencesQuerySchema = z.strictObject(pageQueryShape);

export type CandidateAbsence = z.infer<typeof candidateAbsenceSchema>;
export type Absence = z.infer<typeof absenceSchema>;
export type CurrentAbsence = z.infer<typeof currentAbsenceSchema>;
export type SetAbsenceBody = z.infer<typeof setAbsenceBodySchema>;
