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
  'Replaces an existing absence. While it lasts, the substitute may vote on approvals that name the absent user as a candidate, and so may the user: either of them casts the one vote. ' +
  'It does not apply to approvals whose candidate is a group or any approver, nor to delegated approvals, and does not let anyone vote who is excluded or has voted. Substitutes have no substitutes.';

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
      'After the response, no substitute votes in your place; votes already cast count. Has no effect if you have no absence.',
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
