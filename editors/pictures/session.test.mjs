import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { session, told } from './session.mjs'

test('the pictures of docs/images show what the server answers', async () => {
  const drawn = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'images', 'session.txt'), 'utf8')
  assert.equal(told(await session()), drawn, 'draw them anew: node editors/pictures/draw.mjs')
})
