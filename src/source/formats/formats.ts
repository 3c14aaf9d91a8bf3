import type { TableFormat } from '../export.ts';
import { csv } from './csv.ts';
import type { Format } from './format.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';

/** Every format of an export's files. A table is read by the format that it names. */
export const formats: Readonly<Record<TableFormat, Format>> = { csv, json, ndjson };
