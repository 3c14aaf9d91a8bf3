import { joinTexts, splitTexts } from '../../domain/joined-texts.ts';
import type { PrintedAccount } from '../export.ts';

/** What a block has of one file: whole rows, one after another. */
export interface BlockPart {
  readonly bytes: number;
  readonly lines: number;
  readonly rows: number;
  /** Accounts that have rows in it. */
  readonly accounts: number;
  /** The bytes of the row behind it; undefined if the file ends there. */
  readonly ahead: number | undefined;
  /** The account of the first row from its beginning on, which may be behind it; undefined if the file ends there. */
  readonly next: string | undefined;
}

/** A few accounts that follow one another: all of their rows, in each file of an export. */
export interface Block {
  /** Its first account. */
  readonly account: string;
  /** For each file. */
  readonly parts: readonly BlockPart[];
  /**
   * The fingerprint of its bytes, and of the row behind them in each file: where these are the same, no row of its accounts was added
   * at its end. Absent if its rows must be read again, because one of them is told of.
   */
  readonly digest: string | undefined;
  /** Its accounts with the fingerprints of their rows, as one text. */
  readonly printed: string;
  /** As it is in an index. */
  readonly line?: string;
}

/** Where a row begins in a file: in bytes from 0, and in lines from 1. */
export interface RowPlace {
  readonly byte: number;
  readonly line: number;
}

/** Accounts and their fingerprints as one text without a line end. */
export function joinPrinted(accounts: readonly PrintedAccount[]): string {
  const names = joinTexts(accounts.map(({ account }) => account));
  return JSON.stringify([accounts.map(({ print }) => print).join(' '), names]);
}

export function splitPrinted(text: string): readonly PrintedAccount[] {
  const [prints, names] = JSON.parse(text) as [string, string];
  const accounts = splitTexts(names);
  // Stryker disable next-line StringLiteral: there are as many of both
  return prints.split(' ').map((print, at) => ({ account: accounts[at] ?? '', print }));
}
