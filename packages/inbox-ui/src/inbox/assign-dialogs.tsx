import { Text, Textarea } from '@mantine/core';
import type { DelegateBody, ReassignBody, User } from '@countersign/contract';
import { useState } from 'react';
import { GroupsField, UsersField } from '../people/names-field.js';
import { EMPTY_NAMES_INPUT, toNames } from '../people/names-input.js';
import { NamesDialog } from '../people/names-dialog.js';
import { UserField } from '../people/user-field.js';
import { texts } from '../texts/index.js';
import { MomentField } from '../time/moment-field.js';
import { isMomentOrEmpty, EMPTY_MOMENT_INPUT, parseMomentInput } from '../time/moment-input.js';

const t = texts.approvals;

interface DelegateDialogProps {
  readonly opened: boolean;
  onClose(): void;
  /** The id and the user names of the user, who is not offered. */
  readonly ownNames: readonly string[];
  /** Users who have no vote on the approval, by id or user name. */
  readonly unavailableUsers: ReadonlySet<string>;
  onDelegate(delegation: DelegateBody): Promise<unknown>;
}

/** Dialog that delegates the user's decisions to another user. */
export function DelegateDialog({ opened, onClose, ownNames, unavailableUsers, onDelegate }: DelegateDialogProps) {
  const [to, setTo] = useState('');
  const [until, setUntil] = useState(EMPTY_MOMENT_INPUT);
  const parsedUntil = parseMomentInput(until);
  const hasNoVote = ({ id, userName }: User): boolean =>
    [id, userName].some((name) => name !== null && unavailableUsers.has(name));
  const send = (allowUnknown: boolean): Promise<unknown> =>
    onDelegate({
      to: to.trim(),
      ...(parsedUntil.kind === 'moment' ? { until: new Date(parsedUntil.at).toISOString() } : {}),
      ...(allowUnknown ? { allowUnknown } : {}),
    });
  return (
    <NamesDialog
      opened={opened}
      title={t.delegateForm.title}
      sendLabel={t.delegateForm.send}
      ready={to.trim() !== '' && isMomentOrEmpty(parsedUntil)}
      names={{ to: to.trim() }}
      onClose={onClose}
      onSend={send}
    >
      <UserField
        label={t.delegateForm.to}
        description={t.delegateForm.toHint}
        required
        autofocus
        value={to}
        onChange={setTo}
        findObstacle={(user) => (hasNoVote(user) ? texts.people.hasNoVote : undefined)}
        isHidden={({ id }) => ownNames.includes(id)}
      />
      <MomentField
        label={t.delegateForm.until}
        description={t.delegateForm.untilHint}
        input={until}
        onInput={setUntil}
      />
    </NamesDialog>
  );
}

interface ReassignDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onReassign(candidates: ReassignBody): Promise<unknown>;
}

/** Dialog that replaces the candidates. */
export function ReassignDialog({ opened, onClose, onReassign }: ReassignDialogProps) {
  const [users, setUsers] = useState(EMPTY_NAMES_INPUT);
  const [groups, setGroups] = useState(EMPTY_NAMES_INPUT);
  const [candidateUsers, candidateGroups] = [toNames(users), toNames(groups)];
  const [comment, setComment] = useState('');
  const send = (allowUnknown: boolean): Promise<unknown> =>
    onReassign({
      candidateUsers,
      candidateGroups,
      ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
      ...(allowUnknown ? { allowUnknown } : {}),
    });
  return (
    <NamesDialog
      opened={opened}
      title={t.reassignForm.title}
      sendLabel={t.reassignForm.send}
      ready={candidateUsers.length + candidateGroups.length > 0}
      names={{ candidateUsers, candidateGroups }}
      onClose={onClose}
      onSend={send}
    >
      <Text size="sm">{t.reassignForm.hint}</Text>
      <UsersField
        label={t.reassignForm.users}
        description={t.reassignForm.namesHint}
        autofocus
        input={users}
        onInput={setUsers}
      />
      <GroupsField
        label={t.reassignForm.groups}
        description={t.reassignForm.namesHint}
        input={groups}
        onInput={setGroups}
      />
      <Textarea
        label={t.reassignForm.comment}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </NamesDialog>
  );
}
