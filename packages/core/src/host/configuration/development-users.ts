import { IDENTITY_MESSAGE, IDENTITY_PATTERN, MAX_NAME_LENGTH, ROLES, type Role } from '@countersign/model';
import { z } from 'zod';

const name = z.string().normalize('NFC').min(1).max(MAX_NAME_LENGTH).regex(IDENTITY_PATTERN, IDENTITY_MESSAGE);

/** Schema of a user that the sign-in page of a development server offers. */
export const DevelopmentUserSchema = z.strictObject({
  Subject: name.describe('Subject of the user, as BPMN models name candidate users.'),
  Name: name.optional().describe('Name that is displayed. Default: the subject.'),
  Role: z.enum(ROLES).describe('Role of the user.'),
  Groups: z.array(name).max(100).default([]).describe('Groups of the user, as BPMN models name candidate groups.'),
});

type DevelopmentUser = z.infer<typeof DevelopmentUserSchema>;

const createUser = (Name: string, Role: Role): DevelopmentUser => ({
  Subject: Name.toLowerCase(),
  Name,
  Role,
  Groups: [],
});

/** The users if none are configured: someone who starts runs, two who can decide on them, and one of each other role. */
export const DEFAULT_DEVELOPMENT_USERS: DevelopmentUser[] = [
  createUser('Ann', 'operator'),
  createUser('Bob', 'approver'),
  createUser('Carol', 'approver'),
  createUser('Vera', 'viewer'),
  createUser('Alice', 'admin'),
];
