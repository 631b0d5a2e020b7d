import { defineRoute } from '../define-route.js';
import {
  absenceListSchema,
  absenceSchema,
  currentAbsenceSchema,
  listAbsencesQuerySchema,
  setAbsenceBodySchema,
} from '../schemas/absence.js';
import { absenceParams } from './params.js';
import { json } from './respond.js';

const EFFECT =
  'Takes the place of an absence that there is. While it lasts, the substitute may decide what asks the person by name, and so may the person: it is one vote, whoever casts it. ' +
  'Nothing changes where a group or everybody is asked, for what the person has delegated to somebody else or was delegated, and for who may not decide (own work, a vote already cast). There are no substitutes of substitutes.';

export const absenceRoutes = {
  getMyAbsence: defineRoute({
    operationId: 'getMyAbsence',
    method: 'get',
    path: '/api/me/absence',
    tag: 'absences',
    summary: 'Whether you are away',
    role: 'approver',
    responses: { 200: json(currentAbsenceSchema, 'The absence that lasts, or that is to come.') },
    errors: [],
  }),
  setMyAbsence: defineRoute({
    operationId: 'setMyAbsence',
    method: 'put',
    path: '/api/me/absence',
    tag: 'absences',
    summary: 'Be away for a time',
    description: EFFECT,
    role: 'approver',
    body: setAbsenceBodySchema,
    responses: { 200: json(absenceSchema, 'The absence.') },
    errors: ['service_cannot_decide'],
  }),
  endMyAbsence: defineRoute({
    operationId: 'endMyAbsence',
    method: 'delete',
    path: '/api/me/absence',
    tag: 'absences',
    summary: 'Be back',
    description:
      'From the answer on nobody decides in your place; what was decided counts. Where you are not away, nothing happens.',
    role: 'approver',
    responses: { 200: json(currentAbsenceSchema, 'That there is none.') },
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
    responses: { 200: json(absenceListSchema, 'A page of absences, by the name of the person.') },
    errors: [],
  }),
  setAbsence: defineRoute({
    operationId: 'setAbsence',
    method: 'put',
    path: '/api/absences/{subject}',
    tag: 'absences',
    summary: 'Set the absence of a person',
    description: `On behalf of a person. ${EFFECT}`,
    role: 'admin',
    params: absenceParams,
    chosenName: 'subject',
    body: setAbsenceBodySchema,
    responses: { 200: json(absenceSchema, 'The absence.') },
    errors: ['service_cannot_decide', 'own_substitute'],
  }),
  endAbsence: defineRoute({
    operationId: 'endAbsence',
    method: 'delete',
    path: '/api/absences/{subject}',
    tag: 'absences',
    summary: 'Say that somebody is back',
    role: 'admin',
    params: absenceParams,
    responses: { 200: json(currentAbsenceSchema, 'That there is none.') },
    errors: [],
  }),
};
