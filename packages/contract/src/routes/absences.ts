import { defineRoute } from '../define-route.js';
import {
  absenceListSchema,
  absenceSchema,
  currentAbsenceSchema,
  listAbsencesQuerySchema,
  setAbsenceBodySchema,
} from '../schemas/absence.js';
import { absenceParams } from './params.js';
import { jsonResponse } from './json-response.js';

const EFFECT_DESCRIPTION =
  'Replaces an existing absence. During the absence, the substitute may vote on approvals that name the absent user as a candidate. The absent user may vote, too, but together they have only one vote. ' +
  'The absence does not apply to approvals whose candidates are groups or all approvers, nor to delegated approvals. It does not let a user vote who is excluded or has already voted. The substitute of a substitute may not vote.';

export const absenceRoutes = {
  getMyAbsence: defineRoute({
    operationId: 'getMyAbsence',
    method: 'get',
    path: '/api/me/absence',
    tag: 'absences',
    summary: 'Get your absence',
    role: 'approver',
    responses: { 200: jsonResponse(currentAbsenceSchema, 'The current or future absence.') },
    errors: [],
  }),
  setMyAbsence: defineRoute({
    operationId: 'setMyAbsence',
    method: 'put',
    path: '/api/me/absence',
    tag: 'absences',
    summary: 'Set your absence',
    description: EFFECT_DESCRIPTION,
    role: 'approver',
    body: setAbsenceBodySchema,
    responses: { 200: jsonResponse(absenceSchema, 'The absence.') },
    errors: ['service_cannot_decide'],
  }),
  endMyAbsence: defineRoute({
    operationId: 'endMyAbsence',
    method: 'delete',
    path: '/api/me/absence',
    tag: 'absences',
    summary: 'End your absence',
    description:
      'After the response, no substitute may vote in your place; votes already cast count. Has no effect if you have no absence.',
    role: 'approver',
    responses: { 200: jsonResponse(currentAbsenceSchema, 'No absence is set.') },
    errors: [],
  }),
  listAbsences: defineRoute({
    operationId: 'listAbsences',
    method: 'get',
    path: '/api/absences',
    tag: 'absences',
    summary: 'List current and future absences',
    role: 'approver',
    query: listAbsencesQuerySchema,
    responses: { 200: jsonResponse(absenceListSchema, 'A page of absences, sorted by the name of the user.') },
    errors: [],
  }),
  setAbsence: defineRoute({
    operationId: 'setAbsence',
    method: 'put',
    path: '/api/absences/{subject}',
    tag: 'absences',
    summary: 'Set the absence of a user',
    description: `Sets the absence on behalf of a user. ${EFFECT_DESCRIPTION}`,
    role: 'admin',
    params: absenceParams,
    chosenName: 'subject',
    body: setAbsenceBodySchema,
    responses: { 200: jsonResponse(absenceSchema, 'The absence.') },
    errors: ['service_cannot_decide', 'own_substitute'],
  }),
  endAbsence: defineRoute({
    operationId: 'endAbsence',
    method: 'delete',
    path: '/api/absences/{subject}',
    tag: 'absences',
    summary: 'End the absence of a user',
    role: 'admin',
    params: absenceParams,
    responses: { 200: jsonResponse(currentAbsenceSchema, 'No absence is set.') },
    errors: [],
  }),
};
