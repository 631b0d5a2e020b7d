import type { Handlers } from '../app/route-context.js';
import { instantOf } from './instant-of.js';
import { defined } from './runs.js';

const NONE = { body: { absence: null } };

export const absenceHandlers: Pick<
  Handlers,
  'getMyAbsence' | 'setMyAbsence' | 'endMyAbsence' | 'listAbsences' | 'setAbsence' | 'endAbsence'
> = {
  getMyAbsence: async ({ services, caller }) => ({
    body: { absence: caller.actor.type === 'user' ? await services.app.absences.of(caller.actor.id) : null },
  }),

  setMyAbsence: async ({ services, request, caller }) => {
    const absence = await services.app.absences.set({ subject: caller.actor.id, ...inputOf(request.body) }, caller);
    services.metrics.command('setMyAbsence');
    return { body: absence };
  },

  endMyAbsence: async ({ services, caller }) => {
    // A service with the same name as a person must not end the person's absence.
    if (caller.actor.type === 'user') await services.app.absences.end(caller.actor.id, caller);
    services.metrics.command('endMyAbsence');
    return NONE;
  },

  listAbsences: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return { body: await services.app.absences.list({ limit, ...defined({ cursor }) }) };
  },

  setAbsence: async ({ services, request, caller }) => {
    const absence = await services.app.absences.set(
      { subject: request.params.subject, ...inputOf(request.body) },
      caller,
    );
    services.metrics.command('setAbsence');
    return { body: absence };
  },

  endAbsence: async ({ services, request, caller }) => {
    await services.app.absences.end(request.params.subject, caller);
    services.metrics.command('endAbsence');
    return NONE;
  },
};

function inputOf({
  from,
  until,
  substitute,
}: {
  from?: string | undefined;
  until: string;
  substitute?: string | undefined;
}): { from?: number; until: number; substitute?: string } {
  return {
    ...(from === undefined ? {} : { from: instantOf(from) }),
    until: instantOf(until),
    ...(substitute === undefined ? {} : { substitute }),
  };
}
