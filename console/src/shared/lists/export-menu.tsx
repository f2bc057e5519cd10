import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { IconBraces, IconDownload, IconTable } from '@/icons';
import { notifyProblem, notifySuccess } from '@/shared/notify';
import { countOf } from './count';
import { toCsv } from './csv';
import { downloadFile } from './download-file';

export interface ExportMenuProps<Row> {
  /** The name of the file without its extension. */
  name: string;
  /** One of the rows, for example "run", and several of them, if it is not "runs". */
  unit: string;
  units?: string;
  /** Loads the rows, at most `maxRows`: a browser holds the file in memory. */
  load: () => Promise<readonly Row[]>;
  maxRows: number;
  /** The columns of the CSV file, and the values of a row in their order. */
  columns: readonly string[];
  valuesOf: (row: Row) => readonly unknown[];
  /** A row of the JSON file. Default: the row itself. */
  toRecord?: (row: Row) => unknown;
}

/** Saves a list as CSV or JSON. */
export function ExportMenu<Row>(props: ExportMenuProps<Row>) {
  const { name, unit, units = `${unit}s`, load, maxRows, columns, valuesOf, toRecord = row => row } = props;
  const [isBusy, setIsBusy] = useState(false);
  const save = async (write: (rows: readonly Row[]) => void) => {
    setIsBusy(true);
    try {
      const rows = await load();
      write(rows);
      const saved = `${countOf(rows.length, unit, units)} ${rows.length === 1 ? 'was' : 'were'} saved.`;
      notifySuccess(rows.length >= maxRows ? `The newest ${saved}` : saved);
    } catch (error) {
      notifyProblem('Not exported', error);
    } finally {
      setIsBusy(false);
    }
  };
  const saveCsv = (rows: readonly Row[]) =>
    downloadFile(
      `${name}.csv`,
      'text/csv;charset=utf-8',
      toCsv(
        columns,
        rows.map(row => valuesOf(row)),
      ),
    );
  const saveJson = (rows: readonly Row[]) =>
    downloadFile(`${name}.json`, 'application/json', JSON.stringify(rows.map(toRecord), null, 2));
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={isBusy}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTable size={16} />} onClick={() => void save(saveCsv)}>
          CSV
        </Menu.Item>
        <Menu.Item leftSection={<IconBraces size={16} />} onClick={() => void save(saveJson)}>
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
