// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { Asked } from '../src/loadable';

/** A question whose answer comes when the test says so. */
function later<T>() {
  let answer!: (value: T) => void;
  const promise = new Promise<T>(done => (answer = done));
  return { ask: () => promise, answer };
}
const settled = () => new Promise(done => setTimeout(done));

test('an old answer is shown until the new one is here', async () => {
  let changes = 0;
  const asked = new Asked<number>(() => changes++);
  const [first, second] = [later<number>(), later<number>()];
  expect(asked.get('a', first.ask)).toEqual({ at: 'loading' });
  first.answer(1);
  await settled();
  const unasked = () => Promise.reject(new Error('it is here already'));
  expect(asked.get('a', unasked)).toEqual({ at: 'here', value: 1 });
  asked.renew();
  expect(asked.get('a', second.ask)).toEqual({ at: 'here', value: 1 });
  // Asked for once, however often the page is drawn.
  expect(asked.get('a', unasked)).toEqual({ at: 'here', value: 1 });
  second.answer(2);
  await settled();
  expect(asked.get('a', unasked)).toEqual({ at: 'here', value: 2 });
  expect(changes).toBe(2);
});

test('an answer that was overtaken by a later question, or forgotten, is not taken', async () => {
  const asked = new Asked<number>(() => {});
  const [slow, quick, lost] = [later<number>(), later<number>(), later<number>()];
  asked.get('a', slow.ask);
  asked.renew();
  asked.get('a', quick.ask);
  quick.answer(2);
  await settled();
  slow.answer(1);
  await settled();
  expect(asked.get('a', lost.ask)).toEqual({ at: 'here', value: 2 });
  asked.forget('a');
  asked.get('a', lost.ask);
  asked.forgetAll();
  lost.answer(3);
  await settled();
  expect(asked.get('a', () => Promise.resolve(4))).toEqual({ at: 'loading' });
});

test('a failure is shown in place of an answer, and is asked for again when that is wanted', async () => {
  const asked = new Asked<number>(() => {});
  asked.get('a', () => Promise.reject(new Error('no answer')));
  await settled();
  expect(asked.get('a', () => Promise.resolve(1))).toEqual({ at: 'failed', error: 'no answer' });
  asked.forgetFailed();
  expect(asked.get('a', () => Promise.resolve(1))).toEqual({ at: 'loading' });
});
