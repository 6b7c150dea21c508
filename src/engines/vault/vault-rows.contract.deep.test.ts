import { describeEach } from '../../testing/describe-unless.ts'
import { embeddedVaults, mongodbVaults } from './testing/vaults.ts'
import { sharedVaultContract, vaultFilesContract, vaultRowsContract } from './vault-rows.contract.test.ts'

const onFiles = embeddedVaults.filter(({ keepsFiles }) => keepsFiles)
describeEach(mongodbVaults, 'vault rows contract', vaultRowsContract)
describeEach([...onFiles, ...mongodbVaults], 'vault contract, several processes', sharedVaultContract)
describeEach(onFiles, 'vault contract, files', vaultFilesContract)
