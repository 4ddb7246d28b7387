"""The notebooks, cell by cell, on the lake of TRANCHE_LAKE."""

import json
import pathlib

import pytest

import tranchedb

NOTEBOOKS = sorted((pathlib.Path(__file__).parent.parent / 'notebooks').glob('*.ipynb'))
MOST_BONDS_OF_A_SMALL_LAKE = 100


@pytest.fixture(scope='module')
def is_small():
    with tranchedb.open() as lake:
        return len(lake.bonds(fields=['id'], limit=MOST_BONDS_OF_A_SMALL_LAKE + 1)) <= MOST_BONDS_OF_A_SMALL_LAKE


@pytest.mark.parametrize('path', NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_is_kept_without_outputs(path, is_small):
    cells = json.loads(path.read_text())['cells']
    code = [''.join(cell['source']) for cell in cells if cell['cell_type'] == 'code']
    assert len(code) >= 4
    assert all(cell.get('outputs', []) == [] for cell in cells), 'clear the outputs before you commit'
    if is_small:
        pytest.skip('the lake is too small for a study')
    names: dict = {}
    try:
        for number, source in enumerate(code):
            exec(compile(source, f'{path.name} cell {number}', 'exec'), names)
    finally:
        names['t'].close()
    for frame in ('shortlist', 'cheap', 'result'):
        if frame in names:
            assert len(names[frame]) > 0, f'{frame} is empty'
