import { Combobox, InputBase } from '@mantine/core';
import { MAX_NAME_LENGTH, type User } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { ChoiceList, LIST_PLACEMENT } from './choice-list.js';
import { useChoiceList } from './use-choice-list.js';
import { useUserChoices } from './use-choices.js';

interface UserFieldProps {
  readonly label: string;
  readonly description: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  /** What the user has typed or chosen. */
  readonly value: string;
  onChange(value: string): void;
  /** Returns why a user cannot be chosen; `undefined` if they can. */
  findObstacle?(user: User): string | undefined;
  isHidden(user: User): boolean;
}

/**
 * Field for the name of a user. Offers the users who have signed in; other names can be typed. Enter chooses the marked
 * user, or sends the form if none is marked.
 */
export function UserField(props: UserFieldProps) {
  const { label, description, required = false, autofocus = false, value, onChange, isHidden } = props;
  const offered = useUserChoices(value, props.findObstacle ?? (() => undefined), isHidden);
  const { combobox, targetProps, onKeyDown, onType } = useChoiceList(offered, value);
  const chosen = offered.choices.find((choice) => choice.value === value);
  return (
    <Combobox
      {...LIST_PLACEMENT}
      store={combobox}
      onOptionSubmit={(chosenValue) => {
        onChange(chosenValue);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target withExpandedAttribute {...targetProps}>
        <InputBase
          label={label}
          description={chosen === undefined || chosen.detail === '' ? description : chosen.name}
          required={required}
          value={value}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          {...(autofocus ? { 'data-autofocus': true } : {})}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onKeyDown={onKeyDown}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            onType(event.currentTarget.value);
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <ChoiceList label={texts.people.users} offered={offered} />
    </Combobox>
  );
}
