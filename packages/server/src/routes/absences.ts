import type { SetAbsenceBody } from '@countersign/contract';
import type { SetAbsenceInput } from '@countersign/core';
import type { Handlers } from '../app/route-context.js';
import { parseInstant } from './parse-instant.js';
import { omitUndefined } from './runs.js';

const NO_ABSENCE = { body: { absence: null } };

export const absenceHandlers: Pick<
  Handlers,
  'getMyAbsence' | 'setMyAbsence' | 'endMyAbsence' | 'listAbsences' | 'setAbsence' | 'endAbsence'
> = {
  getMyAbsence: async ({ services, caller }) => ({
    body: { absence: caller.actor.type === 'user' ? await services.app.absences.findForPerson(caller.actor.id) : null },
  }),

  setMyAbsence: async ({ services, request, caller }) => {
    const absence = await services.app.absences.set(
      { subject: caller.actor.id, ...toAbsenceInput(request.body) },
      caller,
    );
    services.metrics.recordCommand('setMyAbsence');
    return { body: absence };
  },

  endMyAbsence: async ({ services, caller }) => {
    // A service with the same name as a person must not end the person's absence.
    if (caller.actor.type === 'user') await services.app.absences.end(caller.actor.id, caller);
    services.metrics.recordCommand('endMyAbsence');
    return NO_ABSENCE;
  },

  listAbsences: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return { body: await services.app.absences.list({ limit, ...omitUndefined({ cursor }) }) };
  },

  setAbsence: async ({ services, request, caller }) => {
    const absence = await services.app.absences.set(
      { subject: request.params.subject, ...toAbsenceInput(request.body) },
      caller,
    );
    services.metrics.recordCommand('setAbsence');
    return { body: absence };
  },

  endAbsence: async ({ services, request, caller }) => {
    await services.app.absences.end(request.params.subject, caller);
    services.metrics.recordCommand('endAbsence');
    return NO_ABSENCE;
  },
};

function toAbsenceInput({ from, until, substitute, allowUnknown }: SetAbsenceBody): Omit<SetAbsenceInput, 'subject'> {
  return {
    ...(from === undefined ? {} : { from: parseInstant(from) }),
    until: parseInstant(until),
    ...omitUndefined({ substitute, allowUnknown }),
  };
}
