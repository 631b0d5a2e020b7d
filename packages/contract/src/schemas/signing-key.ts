import { z } from 'zod';
import { idSchema, principalSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

/** A compact JWS. */
export const signedStatementSchema = z
  .string()
  .min(1)
  .max(20_000)
  .regex(
    /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/,
    'Must be a compact JWS: three base64url parts separated by dots.',
  );

export const keyIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .meta({
    id: 'SigningKeyId',
    description: 'The thumbprint of the key (RFC 7638): SHA-256, base64url.',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  });

/** Strict: a key that includes the private member `d` is refused with an error, and not stored. */
export const ed25519PublicKeySchema = z
  .strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .meta({ description: 'The 32 bytes, base64url without padding.' }),
  })
  .meta({ id: 'Ed25519PublicKey', description: 'A JSON Web Key (RFC 8037).' });

const enrolmentSchema = z
  .object({
    method: z.enum(['sign_in', 'countersignature', 'admin', 'unproven']).meta({
      description:
        'Proof that the key belongs to its owner: a fresh sign-in, another enrolled key of theirs, or an admin who is another user. `unproven`: registered before proof was required.',
    }),
    by: z
      .string()
      .nullable()
      .meta({ description: 'Id of the admin, or of the key that countersigned; `null` otherwise.' }),
    at: timestampSchema,
  })
  .meta({ id: 'SigningKeyEnrolment' });

const signingKeyShape = {
  keyId: keyIdSchema,
  subject: principalSchema.meta({ description: 'Owner of the key.' }),
  name: z.string().meta({ description: 'Name of the device, chosen by its owner.' }),
  publicKey: ed25519PublicKeySchema,
  createdAt: timestampSchema,
  enrolment: enrolmentSchema.nullable().meta({
    description: 'Time and proof of the enrolment. `null`: not enrolled yet, so votes that it signs do not count.',
  }),
  lastUsedAt: timestampSchema.nullable().meta({ description: 'Time of the last counted vote that it signed.' }),
  revokedAt: timestampSchema
    .nullable()
    .meta({ description: 'Time of the revocation, after which votes that it signs do not count.' }),
  revokedBy: principalSchema.nullable(),
};

export const signingKeySchema = z
  .object(signingKeyShape)
  .meta({ id: 'SigningKey', description: 'A public key with which an approver signs votes.' });
export const signingKeyListSchema = buildListSchema(signingKeySchema, 'SigningKeyList');

const { revokedBy: _omittedRevokedBy, enrolment: _omittedEnrolment, ...evidenceShape } = signingKeyShape;

export const evidenceSigningKeySchema = z
  .object({
    ...evidenceShape,
    proof: signedStatementSchema.meta({
      description:
        'The statement {server, subject, keyId, at} with which the key was registered, signed by the key itself.',
    }),
    countersignature: signedStatementSchema.nullable().optional().meta({
      description:
        'The statement {server, subject, enrolledKeyId, keyId, at} by which another key enrolled this one; `null` if none did. Earlier packs do not have it.',
    }),
  })
  .meta({ id: 'EvidenceSigningKey' });

export const registerSigningKeyBodySchema = z
  .strictObject({
    publicKey: ed25519PublicKeySchema,
    name: z.string().trim().min(1).max(100).meta({
      description: 'Name to distinguish this key from your others, such as the name of the device.',
      example: 'Laptop',
    }),
    proof: signedStatementSchema.meta({
      description:
        'A compact JWS signed with the key itself, `typ` `countersign-signing-key+jws`, over the RFC 8785 form of {server, subject, keyId, at}.',
    }),
  })
  .meta({ id: 'RegisterSigningKey' });

export const countersignSigningKeyBodySchema = z
  .strictObject({
    countersignature: signedStatementSchema.meta({
      description:
        'A compact JWS signed with an enrolled key of yours, `typ` `countersign-signing-key-countersignature+jws`, over the RFC 8785 form of {server, subject, enrolledKeyId, keyId, at}.',
    }),
  })
  .meta({ id: 'CountersignSigningKey' });

export const listMySigningKeysQuerySchema = z.strictObject(pageQueryShape);
export const listSigningKeysQuerySchema = z.strictObject({
  ...pageQueryShape,
  subject: principalSchema.meta({ description: 'The owner of the keys.' }),
});

export const signingSchema = z
  .object({
    serverId: idSchema.meta({
      description:
        'The value of `server` in every statement. It is stored in the database: servers with the same database have the same id, and a new address does not change it.',
    }),
    now: timestampSchema.meta({
      description: 'Time of the server. A device with a wrong clock can add the difference.',
    }),
    windowSeconds: z.int().meta({
      description: 'Maximum difference between `at` of a statement and the time of the server, in seconds.',
      example: 600,
    }),
    signIn: z
      .object({
        maxAgeSeconds: z.int().meta({
          description:
            'Maximum age of the sign-in (`auth_time` of the token), in seconds. `0`: no sign-in enrols a key.',
          example: 600,
        }),
        acrValues: z.array(z.string()).meta({ description: 'Accepted values of `acr` of the token; empty: all.' }),
      })
      .meta({
        description:
          'The sign-in that enrols a key on registration. Request it from the issuer with `max_age` and `acr_values` (OpenID Connect Core, 3.1.2.1).',
      }),
  })
  .meta({ id: 'Signing', description: 'Everything that is needed to sign votes for this server.' });

export type SigningKey = z.infer<typeof signingKeySchema>;
export type EvidenceSigningKey = z.infer<typeof evidenceSigningKeySchema>;
export type Signing = z.infer<typeof signingSchema>;
