import { defineRoute } from '../define-route.js';
import {
  listMySigningKeysQuerySchema,
  listSigningKeysQuerySchema,
  registerSigningKeyBodySchema,
  countersignSigningKeyBodySchema,
  signingKeyListSchema,
  signingKeySchema,
  signingSchema,
} from '../schemas/signing-key.js';
import { signingKeyParams } from './params.js';
import { jsonResponse } from './json-response.js';

const signingKeyRoute = { tag: 'signing', params: signingKeyParams, notFound: 'signing_key_not_found' } as const;

export const signingKeyRoutes = {
  getSigning: defineRoute({
    operationId: 'getSigning',
    method: 'get',
    path: '/api/signing',
    tag: 'signing',
    summary: 'Get the signing parameters',
    role: 'viewer',
    responses: {
      200: jsonResponse(
        signingSchema,
        'The id and time of the server, and the requirements for a sign-in that enrols a key.',
      ),
    },
    errors: [],
  }),
  listMySigningKeys: defineRoute({
    operationId: 'listMySigningKeys',
    method: 'get',
    path: '/api/me/signing-keys',
    tag: 'signing',
    summary: 'List your signing keys',
    description: 'Newest first, including revoked keys.',
    role: 'approver',
    query: listMySigningKeysQuerySchema,
    responses: { 200: jsonResponse(signingKeyListSchema, 'A page of keys.') },
    errors: [],
  }),
  registerSigningKey: defineRoute({
    operationId: 'registerSigningKey',
    method: 'post',
    path: '/api/me/signing-keys',
    tag: 'signing',
    summary: 'Register a signing key',
    description:
      'Registers an Ed25519 public key as yours. `proof` proves possession of the private key, which never leaves the device. The key is enrolled immediately if you signed in recently (`signIn` of `GET /api/signing`). Otherwise `enrolment` is `null`, and votes that it signs do not count until you register it again after a fresh sign-in, countersign it with another key of yours, or an admin approves it. A key that is already enrolled is returned unchanged.',
    role: 'approver',
    body: registerSigningKeyBodySchema,
    responses: { 201: jsonResponse(signingKeySchema, 'The key.') },
    errors: [
      'service_cannot_decide',
      'signature_invalid',
      'signature_expired',
      'signing_key_revoked',
      'signing_key_taken',
      'too_many_signing_keys',
    ],
  }),
  countersignMySigningKey: defineRoute({
    ...signingKeyRoute,
    operationId: 'countersignMySigningKey',
    method: 'post',
    path: '/api/me/signing-keys/{keyId}/countersign',
    summary: 'Enrol one of your keys with another of your keys',
    description:
      'Enrols one of your registered keys with a signature of another key of yours that is already enrolled, for example the key of another device. A key that is already enrolled is returned unchanged.',
    role: 'approver',
    body: countersignSigningKeyBodySchema,
    responses: { 200: jsonResponse(signingKeySchema, 'The enrolled key.') },
    errors: [
      'service_cannot_decide',
      'signature_invalid',
      'signature_expired',
      'signing_key_unknown',
      'signing_key_revoked',
      'signing_key_not_enrolled',
    ],
  }),
  revokeMySigningKey: defineRoute({
    ...signingKeyRoute,
    operationId: 'revokeMySigningKey',
    method: 'delete',
    path: '/api/me/signing-keys/{keyId}',
    summary: 'Revoke one of your signing keys',
    description:
      'After the response, votes that the key signs never count; votes that already count are not affected. The key remains stored, because evidence packs need it.',
    role: 'approver',
    responses: { 200: jsonResponse(signingKeySchema, 'The revoked key.') },
    errors: [],
  }),
  listSigningKeys: defineRoute({
    operationId: 'listSigningKeys',
    method: 'get',
    path: '/api/signing-keys',
    tag: 'signing',
    summary: 'List the signing keys of a user',
    description: 'Newest first, including revoked keys.',
    role: 'admin',
    query: listSigningKeysQuerySchema,
    responses: { 200: jsonResponse(signingKeyListSchema, 'A page of keys.') },
    errors: [],
  }),
  approveSigningKey: defineRoute({
    ...signingKeyRoute,
    operationId: 'approveSigningKey',
    method: 'post',
    path: '/api/signing-keys/{keyId}/approve',
    summary: 'Approve the signing key of another user',
    description:
      'Enrols a key that another user has registered. First compare its id with the id that the device of that user displays, over a channel other than this server. A key that is already enrolled is returned unchanged.',
    role: 'admin',
    responses: { 200: jsonResponse(signingKeySchema, 'The enrolled key.') },
    errors: ['service_cannot_decide', 'signing_key_own', 'signing_key_revoked'],
  }),
  revokeSigningKey: defineRoute({
    ...signingKeyRoute,
    operationId: 'revokeSigningKey',
    method: 'delete',
    path: '/api/signing-keys/{keyId}',
    summary: 'Revoke the signing key of a user',
    description:
      'Revokes the key of a lost device or of a user who has left. The effect is the same as when the owner revokes the key.',
    role: 'admin',
    responses: { 200: jsonResponse(signingKeySchema, 'The revoked key.') },
    errors: [],
  }),
};
