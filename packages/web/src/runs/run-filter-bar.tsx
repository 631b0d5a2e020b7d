import { RemovablePill } from '@countersign/inbox-ui/ui/removable-pill';
import { useTypedText } from '@countersign/inbox-ui/ui/use-typed-text';
import { Button, CloseButton, Group, Indicator, Popover, Select, Stack, Switch, TextInput } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useState, type RefObject } from 'react';
import { texts } from '../texts/index.js';
import { FILTER_OPTIONS, FILTER_NAMES, type FilterName, type RunFilter } from './run-filter.js';

interface RunFilterBarProps {
  readonly filter: RunFilter;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  /** Sets the value of one filter; `null` and the empty string remove the filter. */
  onFilterChange(name: FilterName, value: string | null): void;
  onClear(): void;
}

/** Shows all filters of the list of runs. Active filters are always visible and can be removed one by one. */
export function RunFilterBar({ filter, searchRef, onFilterChange, onClear }: RunFilterBarProps) {
  const { filters } = texts.runs;
  /** Key of the search field: a new key also discards text that was typed just before the filters were cleared. */
  const [clearCount, setClearCount] = useState(0);
  const clear = (): void => {
    setClearCount(clearCount + 1);
    onClear();
  };
  const renderSelect = (name: 'status' | 'outcome' | 'riskLevel' | 'waitingFor' | 'since') => (
    <Select
      label={filters[name]}
      placeholder={filters.any}
      clearable
      clearButtonProps={{ 'aria-label': filters.remove(filters[name]) }}
      data={FILTER_OPTIONS[name].map((value) => ({ value, label: filterValueLabel(name, value) }))}
      value={filter[name] ?? null}
      onChange={(value) => onFilterChange(name, value)}
      comboboxProps={{ withinPortal: false }}
    />
  );
  const renderDate = (
    name: 'from' | 'to',
    limits: { readonly min?: string | undefined; readonly max?: string | undefined },
  ) => (
    <TextInput
      type="date"
      label={filters[name]}
      value={filter[name] ?? ''}
      onChange={(event) => onFilterChange(name, event.currentTarget.value)}
      {...limits}
    />
  );
  const renderText = (name: 'workflowId' | 'startedBy' | 'businessKey') => (
    <TypedFilter label={filters[name]} value={filter[name] ?? ''} onValue={(value) => onFilterChange(name, value)} />
  );
  const renderSwitch = (name: 'needsAttention' | 'stuck' | 'root', description: string) => (
    <Switch
      label={filters[name]}
      description={description}
      checked={filter[name] !== undefined}
      onChange={(event) => onFilterChange(name, event.currentTarget.checked ? 'true' : null)}
    />
  );
  const activeFilters = FILTER_NAMES.filter((name) => filter[name] !== undefined && name !== 'q');
  return (
    <Stack gap="xs" className="cs-runs-filters">
      <Group gap="xs" role="search" aria-label={filters.group}>
        <TypedFilter
          key={clearCount}
          label={texts.runs.search}
          value={filter.q ?? ''}
          onValue={(value) => onFilterChange('q', value)}
          inputRef={searchRef}
          isSearch
        />
        <Popover position="bottom-start" shadow="md" width="min(320px, calc(100vw - 24px))" trapFocus withRoles={false}>
          <Popover.Target>
            <Indicator label={activeFilters.length} size={16} disabled={activeFilters.length === 0}>
              <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
                {filters.group}
              </Button>
            </Indicator>
          </Popover.Target>
          <Popover.Dropdown role="dialog" aria-modal aria-label={filters.group} mah="70vh" style={{ overflow: 'auto' }}>
            <Stack gap="sm">
              {renderSelect('status')}
              {renderSelect('outcome')}
              {renderSelect('waitingFor')}
              {renderSelect('riskLevel')}
              {renderSelect('since')}
              <Group grow>
                {renderDate('from', { max: filter.to })}
                {renderDate('to', { min: filter.from })}
              </Group>
              {renderText('workflowId')}
              {renderText('startedBy')}
              {renderText('businessKey')}
              {renderSwitch('needsAttention', filters.needsAttentionHint)}
              {renderSwitch('stuck', filters.stuckHint)}
              {renderSwitch('root', filters.rootHint)}
            </Stack>
          </Popover.Dropdown>
        </Popover>
        {activeFilters.map((name) => (
          <RemovablePill
            key={name}
            removeLabel={filters.remove(filters[name])}
            onRemove={() => onFilterChange(name, null)}
          >
            {name === 'needsAttention' || name === 'stuck' || name === 'root'
              ? filters[name]
              : filters.is(filters[name], filterValueLabel(name, filter[name] ?? ''))}
          </RemovablePill>
        ))}
        {(activeFilters.length > 0 || filter.q !== undefined) && (
          <Button variant="subtle" size="compact-sm" mih={24} onClick={clear}>
            {filters.clear}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function filterValueLabel(name: FilterName, value: string): string {
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.runs.filters.values;
  return values[name]?.[value] ?? value;
}

interface TypedFilterProps {
  readonly label: string;
  readonly value: string;
  readonly isSearch?: boolean;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  onValue(value: string): void;
}

/** Text filter that is applied after a pause in typing. */
function TypedFilter({ label, value, isSearch = false, inputRef, onValue }: TypedFilterProps) {
  const [text, setText] = useTypedText(value, onValue);
  if (!isSearch)
    return (
      <TextInput label={label} value={text} maxLength={255} onChange={(event) => setText(event.currentTarget.value)} />
    );
  return (
    <TextInput
      ref={inputRef}
      type="search"
      aria-label={label}
      placeholder={texts.runs.searchHint}
      maxLength={200}
      w={{ sm: 280 }}
      flex={{ base: '1 1 180px', sm: 'none' }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : (
          <CloseButton size="sm" aria-label={texts.runs.filters.remove(label)} onClick={() => setText('')} />
        )
      }
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}
