import { Combobox, Pill, PillsInput, Text } from '@mantine/core';
import { useId, useRef, type KeyboardEvent } from 'react';
import { texts } from '../texts/index.js';
import { RemovablePill } from '../ui/removable-pill.js';
import { ChoiceList, LIST_PLACEMENT } from './choice-list.js';
import type { Choice } from './describe-choice.js';
import { addNames, typeNames, type NamesInput } from './names-input.js';
import { useChoiceList } from './use-choice-list.js';
import { useGroupChoices, useUserChoices, type Choices } from './use-choices.js';

const t = texts.people;

interface NamesFieldProps {
  readonly label: string;
  readonly description: string;
  readonly autofocus?: boolean;
  readonly input: NamesInput;
  onInput(input: NamesInput): void;
}

const isNotHidden = (): boolean => false;
const hasNoObstacle = (): undefined => undefined;

/** Field for the names of users. Offers those who have signed in; other names can be typed. */
export function UsersField(props: NamesFieldProps) {
  const offered = useUserChoices(props.input.text, hasNoObstacle, isNotHidden);
  return <NamesField {...props} listLabel={t.users} offered={offered} />;
}

/** Field for the names of groups. Offers those of the users who have signed in; other names can be typed. */
export function GroupsField(props: NamesFieldProps) {
  return <NamesField {...props} listLabel={t.groups} offered={useGroupChoices(props.input.text)} />;
}

interface OfferingFieldProps extends NamesFieldProps {
  readonly listLabel: string;
  readonly offered: Choices;
}

/** Enter chooses the marked name, a comma completes what is typed, and Backspace in the empty field removes the last name. */
function NamesField(props: OfferingFieldProps) {
  const { label, listLabel, description, autofocus = false, input, onInput } = props;
  const { names, text } = input;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  /** The chosen users and groups, which are shown by their names. */
  const chosen = useRef(new Map<string, Choice>());
  const choices = props.offered.choices.filter((choice) => !names.includes(choice.value));
  const offered = { ...props.offered, choices };
  const list = useChoiceList(offered, text);
  const { combobox } = list;
  const remove = (name: string): void => {
    onInput({ names: names.filter((each) => each !== name), text });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    list.onKeyDown(event);
    if (event.key === 'Enter' && text.trim() !== '' && !list.isMarked() && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onInput({ names: addNames(names, [text]), text: '' });
      combobox.closeDropdown();
    }
    if (event.key === 'Backspace' && text === '') onInput({ names: names.slice(0, -1), text });
  };
  return (
    <Combobox
      {...LIST_PLACEMENT}
      store={combobox}
      onOptionSubmit={(value) => {
        const choice = choices.find((each) => each.value === value);
        if (choice !== undefined) chosen.current.set(value, choice);
        onInput({ names: addNames(names, [value]), text: '' });
        combobox.closeDropdown();
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput id={id} label={label} description={description} onClick={() => combobox.openDropdown()}>
          <Pill.Group>
            {names.map((name) => (
              <RemovablePill key={name} removeLabel={t.remove(name)} onRemove={() => remove(name)}>
                <ChosenName name={name} choice={chosen.current.get(name)} />
              </RemovablePill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute {...list.targetProps}>
              <PillsInput.Field
                ref={field}
                id={id}
                value={text}
                autoComplete="off"
                {...(autofocus ? { 'data-autofocus': true } : {})}
                onChange={(event) => {
                  const next = typeNames(input, event.currentTarget.value);
                  onInput(next);
                  list.onType(next.text);
                }}
                onKeyDown={onKeyDown}
                onBlur={() => combobox.closeDropdown()}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <ChoiceList label={listLabel} offered={offered} />
    </Combobox>
  );
}

/** A name as it was typed, or the display name of a chosen user with what identifies them. */
function ChosenName({ name, choice }: { readonly name: string; readonly choice: Choice | undefined }) {
  if (choice === undefined || choice.name === name) return <bdi>{name}</bdi>;
  return (
    <>
      <bdi>{choice.name}</bdi>{' '}
      <Text component="span" size="xs" c="dimmed">
        <bdi>{name}</bdi>
      </Text>
    </>
  );
}
